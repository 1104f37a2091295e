@NullMarked
package org.lengthwise.positional.attention;

import org.jspecify.annotations.NullMarked;
