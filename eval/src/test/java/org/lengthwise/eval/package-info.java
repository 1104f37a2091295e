@NullMarked
package org.lengthwise.eval;

import org.jspecify.annotations.NullMarked;
