/**
 * Files that a user names, before their format is known: their encoding, and what stands in place
 * of their content.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.input;

import org.jspecify.annotations.NullMarked;
