@NullMarked
package org.lengthwise.eval.generate;

import org.jspecify.annotations.NullMarked;
