package org.lengthwise.dataprep.source;

/** Takes the documents of a source, one after another. */
@FunctionalInterface
public interface DocumentSink {

  /**
   * Takes the next document. A failure of the sink's own (a full disk) must not be an {@link
   * java.io.IOException}, so that it is not taken for bad input.
   *
   * @param document the document, which now belongs to the sink
   */
  void accept(RawDocument document);
}
