/**
 * The tasks that a model can learn. Trainer, checkpoints, experiments and reports use a task only
 * through the interface {@link org.lengthwise.task.Task}.
 *
 * <p>{@link org.lengthwise.task.LanguageModelling} draws windows of T + 1 tokens from a split
 * without replacement. A seed and a position decide the order, so a run resumes exactly from one
 * number. {@link org.lengthwise.task.StringClassification} draws the strings of a regular task, and
 * each string depends on the seed and its index; {@link org.lengthwise.task.Recall} draws those of
 * a recall task.
 *
 * <p>Letters: B samples of a batch, T tokens of a sample, V vocabulary, d model width, N targets.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.task;

import org.jspecify.annotations.NullMarked;
