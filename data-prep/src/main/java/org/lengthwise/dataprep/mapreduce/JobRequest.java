package org.lengthwise.dataprep.mapreduce;

import java.util.Map;
import org.lengthwise.dataprep.prepare.PrepareRequest;

/**
 * A preparation on a cluster.
 *
 * @param prepare the inputs, the output and the settings; the number of threads is ignored, because
 *     every task has one thread
 * @param tokenizer the tokenizer's name or path, for {@link
 *     org.lengthwise.dataprep.tokenizer.Tokenizers#of}
 */
public record JobRequest(
    PrepareRequest prepare,
    MapReduceSettings settings,
    String tokenizer,
    Map<String, String> properties) {

  public JobRequest {
    properties = Map.copyOf(properties);
  }
}
