@NullMarked
package org.lengthwise.eval.score;

import org.jspecify.annotations.NullMarked;
