@NullMarked
package org.lengthwise.training.cli;

import org.jspecify.annotations.NullMarked;
