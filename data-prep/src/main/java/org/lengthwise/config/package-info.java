/**
 * Configuration: layers of YAML that are read strictly into records.
 *
 * <p>Invariants: each value has its file and line. An unknown, missing, repeated or empty key, or a
 * value of another type, is an error with that place. This package gives no value a default.
 * Scalars follow YAML 1.2's core schema: {@code no} is a string, {@code 6e-4} a number, {@code 010}
 * ten.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.config;

import org.jspecify.annotations.NullMarked;
