@NullMarked
package org.lengthwise.measure.receptivefield;

import org.jspecify.annotations.NullMarked;
