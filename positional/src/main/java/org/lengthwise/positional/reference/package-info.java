/**
 * Attention in plain doubles: slow, obvious, and what every fast path is tested against.
 *
 * <p>Letters as in {@link org.lengthwise.positional}.
 */
@NullMarked
package org.lengthwise.positional.reference;

import org.jspecify.annotations.NullMarked;
