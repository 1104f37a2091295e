/** Tests of RASP programs. */
@NullMarked
package org.lengthwise.rasp;

import org.jspecify.annotations.NullMarked;
