@NullMarked
package org.lengthwise.training.replica;

import org.jspecify.annotations.NullMarked;
