/**
 * The command line: its root, and the commands of this module.
 *
 * <p>Invariants: a command reads its options, makes one call and prints the result or its path.
 * Only {@link org.lengthwise.cli.Lengthwise} turns exceptions into exit codes.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.cli;

import org.jspecify.annotations.NullMarked;
