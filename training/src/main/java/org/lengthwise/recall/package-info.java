/**
 * Recall tasks: strings that ask for tokens which stand earlier in the same string, at a known
 * distance. A model reads {@code ids} and predicts {@code targets[t]} after {@code ids[0..t]}.
 *
 * <p>{@link org.lengthwise.recall.DrawnTask} lists the built-in tasks; {@link
 * org.lengthwise.recall.FileTask} reads strings that another program wrote.
 *
 * <p>Invariants: targets and distances are computed from the ids alone, by the rule of the task. A
 * drawn string depends on the seed, the settings of the task, the stream, the length and its index
 * only.
 *
 * <p>Letters: T tokens of a string, V different ids.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.recall;

import org.jspecify.annotations.NullMarked;
