@NullMarked
package org.lengthwise.training.tensorboard;

import org.jspecify.annotations.NullMarked;
