@NullMarked
package org.lengthwise.ngram;

import org.jspecify.annotations.NullMarked;
