@NullMarked
package org.lengthwise.training.model;

import org.jspecify.annotations.NullMarked;
