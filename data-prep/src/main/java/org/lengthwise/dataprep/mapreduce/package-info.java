/**
 * Preparation on a Hadoop cluster: {@code prepare} as MapReduce jobs on YARN.
 *
 * <p>The driver, {@link org.lengthwise.dataprep.mapreduce.MapReducePreparation}, finds the parts of
 * the corpus: the entries of each uncompressed tar, by reading their headers, and every other file.
 * It groups consecutive parts into units of a configured size, and submits a job with one map task
 * per unit and no reduce task. A task prepares its unit on its node's local disk and copies the
 * shards into its attempt's folder. The job's committer keeps one attempt of each task. The driver
 * then gives the shards consecutive names, writes the manifest, and publishes the folder by one
 * rename.
 *
 * <p>With deduplication, two jobs run before. The first job reads the units too, and groups the
 * {@linkplain org.lengthwise.dataprep.mapreduce.Position positions} of equal texts by their
 * {@linkplain org.lengthwise.dataprep.prepare.TextKey keys}. It writes all positions of each text
 * except the first. The second job sorts these positions into a file for each unit. The task that
 * prepares the unit reads this file together with the documents. No step has more than one position
 * in memory.
 *
 * <p>All files of the jobs are in a workspace next to the output, {@code .NAME.mapreduce}:
 *
 * <pre>
 * claim                        marks the workspace as used by one driver
 * plan.jsonl                   a {@link org.lengthwise.dataprep.mapreduce.WorkUnit} on each line
 * duplicates/positions/        the positions of duplicates, in no particular order
 * duplicates/units/unit-00000  the ordinals of that unit's duplicates, ascending, 8 bytes each
 * tokenizer/FILE               the tokenizer's file, if it has one
 * units/unit-00000/            the output of that unit's task: shards, rejects, result.json
 * failures/                    a unit's message, if the unit has bad data
 * unreadable/                  a unit's message, if a file could not be read
 * folder/                      the output, until it is published
 * </pre>
 *
 * <p>Invariants: the documents of each split, their order, sources and record numbers, the rejects,
 * the number of duplicates, and the manifest's inputs and settings are those of a local run. Only
 * the ends of shards and batches differ. If attempts are lost, killed or run twice, no document is
 * missing and none is duplicated. Bad data ends the job immediately, with the message of a local
 * run.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.dataprep.mapreduce;

import org.jspecify.annotations.NullMarked;
