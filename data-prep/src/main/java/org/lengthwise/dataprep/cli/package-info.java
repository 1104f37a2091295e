/** The command {@code prepare}. */
@NullMarked
package org.lengthwise.dataprep.cli;

import org.jspecify.annotations.NullMarked;
