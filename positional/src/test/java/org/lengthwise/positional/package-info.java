@NullMarked
package org.lengthwise.positional;

import org.jspecify.annotations.NullMarked;
