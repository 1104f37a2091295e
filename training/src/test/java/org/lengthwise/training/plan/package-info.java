@NullMarked
package org.lengthwise.training.plan;

import org.jspecify.annotations.NullMarked;
