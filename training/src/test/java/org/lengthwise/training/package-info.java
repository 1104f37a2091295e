@NullMarked
package org.lengthwise.training;

import org.jspecify.annotations.NullMarked;
