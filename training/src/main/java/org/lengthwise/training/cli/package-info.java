/** The commands that train, import and export models. */
@NullMarked
package org.lengthwise.training.cli;

import org.jspecify.annotations.NullMarked;
