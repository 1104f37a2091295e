/**
 * Errors that a user can cause and correct, and the words of their messages.
 *
 * <p>Each message says where the problem is, what was expected, what was found and what to do next.
 * Only the command line turns these exceptions into exit codes.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.error;

import org.jspecify.annotations.NullMarked;
