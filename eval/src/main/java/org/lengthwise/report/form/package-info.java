/**
 * The forms of a report: what every part of it is written in.
 *
 * <p>A {@link org.lengthwise.report.form.Part} has what a report shows of one measurement. Its
 * {@link org.lengthwise.report.form.Section}s consist of paragraphs, charts and {@link
 * org.lengthwise.report.form.TableText}s. Markdown, LaTeX and the page render the same tables.
 *
 * <p>Invariants: no form knows a measurement; numbers have the same digits on every machine.
 *
 * <p>Legend: T_tr = training length; T_ex = evaluated length.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.report.form;

import org.jspecify.annotations.NullMarked;
