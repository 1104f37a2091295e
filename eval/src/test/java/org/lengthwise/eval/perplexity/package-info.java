@NullMarked
package org.lengthwise.eval.perplexity;

import org.jspecify.annotations.NullMarked;
