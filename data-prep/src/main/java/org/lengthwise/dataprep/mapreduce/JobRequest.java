package org.lengthwise.dataprep.mapreduce;

import java.util.Map;
import org.lengthwise.dataprep.prepare.PrepareRequest;

/**
 * What is to be prepared on a cluster, and how the job is run.
 *
 * @param prepare what is to be prepared; its threads do not count, for every task has one
 * @param settings how the work is divided
 * @param tokenizer the tokenizer's specification, as {@link
 *     org.lengthwise.dataprep.tokenizer.Tokenizers#of} takes it
 * @param properties Hadoop properties that win over those of the class path
 */
public record JobRequest(
    PrepareRequest prepare,
    MapReduceSettings settings,
    String tokenizer,
    Map<String, String> properties) {

  /** Takes a copy. */
  public JobRequest {
    properties = Map.copyOf(properties);
  }
}
