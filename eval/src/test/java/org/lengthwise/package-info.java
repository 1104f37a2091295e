@NullMarked
package org.lengthwise;

import org.jspecify.annotations.NullMarked;
