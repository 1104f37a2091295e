/**
 * The command {@code prepare}.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.dataprep.cli;

import org.jspecify.annotations.NullMarked;
