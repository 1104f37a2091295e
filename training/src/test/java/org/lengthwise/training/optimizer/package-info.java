@NullMarked
package org.lengthwise.training.optimizer;

import org.jspecify.annotations.NullMarked;
