/**
 * Text generation, and scores and attention maps of a given text.
 *
 * <p>Invariants: equal weights, prompt, settings and seed give equal tokens on the same machine; a
 * character is printed when all its bytes are known.
 *
 * <p>Letters: B batch (1), T tokens read, d model width, V vocabulary. Source of top-p: Holtzman et
 * al., "The Curious Case of Neural Text Degeneration", ICLR 2020.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.generate;

import org.jspecify.annotations.NullMarked;
