@NullMarked
package org.lengthwise.training.loop;

import org.jspecify.annotations.NullMarked;
