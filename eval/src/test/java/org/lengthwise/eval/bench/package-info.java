/** Tests of {@link org.lengthwise.eval.bench}. */
@NullMarked
package org.lengthwise.eval.bench;

import org.jspecify.annotations.NullMarked;
