/**
 * Preparation on a Hadoop cluster: the work of {@code prepare} as MapReduce jobs on YARN.
 *
 * <p>The driver, {@link org.lengthwise.dataprep.mapreduce.MapReducePreparation}, finds the parts of
 * the corpus (the entries of each uncompressed tar by its headers, and every other file), gathers
 * consecutive ones into units of a configured size, and submits a job with one map task a unit and
 * no reduce task. A task prepares its unit on its node's local disk and moves the shards into its
 * attempt's folder; the job's committer promotes one attempt of each task. The driver then gives
 * the shards consecutive names, writes the manifest, and publishes the folder by one rename.
 *
 * <p>If repeated texts are left out, two jobs come before it. The first reads the units too and
 * brings the {@linkplain org.lengthwise.dataprep.mapreduce.Position positions} of equal texts
 * together, by their {@linkplain org.lengthwise.dataprep.prepare.TextKey keys}; all but the first
 * of each text go on to the second, which sorts them into a file for each unit. The task that
 * prepares the unit reads its file beside its documents. No step holds more than one position.
 *
 * <p>Everything of the jobs lies in a workspace beside the output, {@code .NAME.mapreduce}:
 *
 * <pre>
 * claim                     taken by the driver that owns the workspace
 * plan.jsonl                a {@link org.lengthwise.dataprep.mapreduce.WorkUnit} on each line
 * repeats/positions/        where texts repeat, in no particular order
 * repeats/units/unit-00000  the repeats of that unit, if any: their ordinals, ascending, 8 bytes each
 * tokenizer/FILE            the tokenizer's file, if it has one
 * units/unit-00000/         what the task of that unit left: shards, rejects, result.json
 * failures/                 a unit's message, where it met bad data
 * folder/                   the output, while it is put together
 * </pre>
 *
 * <p>Invariants: the documents of each split, their order, sources and record numbers, the rejects,
 * the count of what was left out, and the manifest's inputs and settings are those of a local run;
 * only the places where shards and batches end differ. Attempts that were lost, killed or run twice
 * leave neither a gap nor a duplicate, whatever they had written. Bad data ends the job at once,
 * with the message that a local run gives.
 */
@NullMarked
package org.lengthwise.dataprep.mapreduce;

import org.jspecify.annotations.NullMarked;
