@NullMarked
package org.lengthwise.training.config;

import org.jspecify.annotations.NullMarked;
