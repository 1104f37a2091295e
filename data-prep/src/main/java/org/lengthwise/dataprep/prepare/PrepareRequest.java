package org.lengthwise.dataprep.prepare;

import java.util.List;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.source.Selection;

/**
 * The inputs, the output and the settings of a preparation.
 *
 * @param inputs files and folders, as local paths or URIs
 * @param numThreads the number of tokenising threads; the output does not depend on it
 */
public record PrepareRequest(
    List<String> inputs,
    String output,
    PrepareSettings settings,
    int numThreads,
    Selection selection) {

  public PrepareRequest {
    inputs = List.copyOf(inputs);
    if (inputs.isEmpty()) {
      throw new IllegalArgumentException("inputs must not be empty");
    }
    if (numThreads < 1) {
      throw new IllegalArgumentException("numThreads must be at least 1, found " + numThreads);
    }
  }

  /** A request for all files of the inputs. */
  public PrepareRequest(
      List<String> inputs, String output, PrepareSettings settings, int numThreads) {
    this(inputs, output, settings, numThreads, Selection.ALL);
  }

  /**
   * {@return the files of the inputs}
   *
   * @throws org.lengthwise.error.DataFormatException if there is no file, or one of an unknown kind
   */
  public Corpus corpus() {
    return Corpus.find(inputs, selection, settings.reading());
  }
}
