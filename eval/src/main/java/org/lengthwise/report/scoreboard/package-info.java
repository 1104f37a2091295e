/**
 * The scoreboard of a report: every model beside every question, and perplexity beside recall.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.report.scoreboard;

import org.jspecify.annotations.NullMarked;
