/** The commands that train models, and bring them out and in. */
@NullMarked
package org.lengthwise.training.cli;

import org.jspecify.annotations.NullMarked;
