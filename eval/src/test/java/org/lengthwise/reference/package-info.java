/**
 * The generated pages of the reference: commands and configuration. {@code scripts/reference.sh}
 * writes them, and {@link org.lengthwise.reference.ReferenceTest} compares them with the code.
 */
@NullMarked
package org.lengthwise.reference;

import org.jspecify.annotations.NullMarked;
