/** The command of this module, as the launcher offers it. */
@NullMarked
package org.lengthwise.dataprep.cli;

import org.jspecify.annotations.NullMarked;
