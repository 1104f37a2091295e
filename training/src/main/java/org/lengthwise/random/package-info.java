/**
 * Random numbers. Every use has its own named stream, and one seed determines all streams. So a new
 * use of randomness does not change the numbers of other uses.
 */
@NullMarked
package org.lengthwise.random;

import org.jspecify.annotations.NullMarked;
