/** Tests of the statistics against closed forms and simulations. */
@NullMarked
package org.lengthwise.statistics;

import org.jspecify.annotations.NullMarked;
