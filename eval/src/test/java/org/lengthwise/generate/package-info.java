@NullMarked
package org.lengthwise.generate;

import org.jspecify.annotations.NullMarked;
