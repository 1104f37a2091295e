/**
 * Random numbers. Every use has its own named stream, and one seed determines all streams. So a new
 * use of randomness does not change the numbers of other uses.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.random;

import org.jspecify.annotations.NullMarked;
