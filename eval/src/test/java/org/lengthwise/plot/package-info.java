/** Tests of charts as values. */
@NullMarked
package org.lengthwise.plot;

import org.jspecify.annotations.NullMarked;
