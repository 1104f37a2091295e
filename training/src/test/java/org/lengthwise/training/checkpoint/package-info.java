@NullMarked
package org.lengthwise.training.checkpoint;

import org.jspecify.annotations.NullMarked;
