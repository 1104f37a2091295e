@NullMarked
package org.lengthwise.training.data;

import org.jspecify.annotations.NullMarked;
