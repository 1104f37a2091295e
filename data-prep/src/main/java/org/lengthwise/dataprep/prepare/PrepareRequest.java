package org.lengthwise.dataprep.prepare;

import java.util.List;

/**
 * What is to be prepared, and where to.
 *
 * @param inputs files and folders, as local paths or URIs
 * @param output the folder to make, as a local path or URI
 * @param settings what else decides the output
 * @param numThreads how many threads tokenise; the output does not depend on it
 */
public record PrepareRequest(
    List<String> inputs, String output, PrepareSettings settings, int numThreads) {

  /** Checks that there is something to do and someone to do it. */
  public PrepareRequest {
    inputs = List.copyOf(inputs);
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("inputs must not be empty");
    }
    if (numThreads < 1) {
      throw new IllegalArgumentException("numThreads must be at least 1, found " + numThreads);
    }
  }
}
