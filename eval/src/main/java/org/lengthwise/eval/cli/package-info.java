/**
 * The command line: its root, and the commands of this module.
 *
 * <p>Invariants: a command reads its options, calls one thing and prints where the outcome lies; it
 * catches nothing. Exceptions become exit codes in {@link org.lengthwise.eval.cli.Lengthwise}
 * alone.
 */
@NullMarked
package org.lengthwise.eval.cli;

import org.jspecify.annotations.NullMarked;
