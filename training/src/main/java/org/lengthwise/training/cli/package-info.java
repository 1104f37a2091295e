/**
 * The commands that train, import and export models.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.training.cli;

import org.jspecify.annotations.NullMarked;
