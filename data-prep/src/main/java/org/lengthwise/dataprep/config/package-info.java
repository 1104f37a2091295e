/**
 * Configuration: layers of YAML, read strictly into records.
 *
 * <p>Invariants: every value remembers the file and line it came from; an unknown, missing,
 * mistyped, repeated or empty key stops the run with that place in the message; nothing has a
 * default here. Scalars follow YAML 1.2's core schema: {@code no} is a string, {@code 6e-4} a
 * number, {@code 010} ten.
 */
@NullMarked
package org.lengthwise.dataprep.config;

import org.jspecify.annotations.NullMarked;
