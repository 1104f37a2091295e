@NullMarked
package org.lengthwise.training.device;

import org.jspecify.annotations.NullMarked;
