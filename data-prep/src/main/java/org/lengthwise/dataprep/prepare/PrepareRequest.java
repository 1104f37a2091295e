package org.lengthwise.dataprep.prepare;

import java.util.List;

/**
 * The inputs, the output and the settings of a preparation.
 *
 * @param inputs files and folders, as local paths or URIs
 * @param output the folder to write, as a local path or URI
 * @param settings the settings that decide the output
 * @param numThreads the number of tokenising threads; the output does not depend on it
 */
public record PrepareRequest(
    List<String> inputs, String output, PrepareSettings settings, int numThreads) {

  /** Requires an input and a thread. */
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
