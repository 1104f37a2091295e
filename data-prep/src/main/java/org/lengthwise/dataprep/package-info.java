/**
 * From documents to tokens: what every command of the pipeline reads and writes before a tensor
 * exists.
 *
 * <p>The subpackages follow the data: {@code source} yields documents, {@code tokenizer} turns them
 * into token ids, {@code prepare} runs both over a corpus, {@code mapreduce} does so on a cluster,
 * {@code shard} stores and maps the result, {@code inspect} says what it holds; {@code config},
 * {@code artifact} and {@code progress} serve all commands. This package itself holds the two
 * exceptions that a user can cause and the identity of the build.
 *
 * <p>Invariants: bad input is never skipped or repaired silently; every failure that a user can
 * mend says where it happened, what was expected, what was found and what to do next.
 */
@NullMarked
package org.lengthwise.dataprep;

import org.jspecify.annotations.NullMarked;
