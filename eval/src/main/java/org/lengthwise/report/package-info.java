/**
 * Reports of finished results: tables, charts and one page.
 *
 * <p>{@link org.lengthwise.report.ReportContent} lists the parts of a report: a package below this
 * one for each measurement, and one for the training. The page, the table files, the picture files
 * and {@code report.json} are made from their sections, which are written in the forms of {@link
 * org.lengthwise.report.form}.
 *
 * <p>Invariants: a part uses the forms and the runs of {@code report.training}, and no other part;
 * nothing is estimated or filled in, and a missing cell is shown as missing; numbers have the same
 * digits on every machine; the same results give the same files, byte for byte, PNG encoders aside.
 *
 * <p>Legend: T_tr = training length; T_ex = evaluated length.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.report;

import org.jspecify.annotations.NullMarked;
