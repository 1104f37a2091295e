/** Scores of given tokens, one by one. */
@NullMarked
package org.lengthwise.eval.score;

import org.jspecify.annotations.NullMarked;
