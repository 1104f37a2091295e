@NullMarked
package org.lengthwise.training.interchange;

import org.jspecify.annotations.NullMarked;
