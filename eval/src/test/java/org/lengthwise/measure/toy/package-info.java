/** A toy measurement, made as CONTRIBUTING says. */
@NullMarked
package org.lengthwise.measure.toy;

import org.jspecify.annotations.NullMarked;
