@NullMarked
package org.lengthwise.eval.receptivefield;

import org.jspecify.annotations.NullMarked;
