/**
 * The part of a report on the zero-shot passkey: heat maps and a table with the control.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.report.probe;

import org.jspecify.annotations.NullMarked;
