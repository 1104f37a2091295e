/** Tests of {@link org.lengthwise.bench}. */
@NullMarked
package org.lengthwise.bench;

import org.jspecify.annotations.NullMarked;
