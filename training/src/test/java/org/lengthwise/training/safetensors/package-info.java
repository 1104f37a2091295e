@NullMarked
package org.lengthwise.training.safetensors;

import org.jspecify.annotations.NullMarked;
