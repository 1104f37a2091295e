/** Placeholder. */
@NullMarked
package org.lengthwise.dataprep;

import org.jspecify.annotations.NullMarked;
