@NullMarked
package org.lengthwise.measure.perplexity;

import org.jspecify.annotations.NullMarked;
