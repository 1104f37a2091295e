@NullMarked
package org.lengthwise.measure.accuracy;

import org.jspecify.annotations.NullMarked;
