@NullMarked
package org.lengthwise.task;

import org.jspecify.annotations.NullMarked;
