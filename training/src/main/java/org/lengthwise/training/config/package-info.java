/**
 * The configuration of a training run: one record for each section of its file.
 *
 * <p>Records check themselves. No value that changes a number has a default in the code: conf/
 * holds all of them.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.training.config;

import org.jspecify.annotations.NullMarked;
