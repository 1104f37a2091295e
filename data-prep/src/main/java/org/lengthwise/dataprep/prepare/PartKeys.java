package org.lengthwise.dataprep.prepare;

import java.io.IOException;
import java.util.List;
import org.lengthwise.dataprep.prepare.DocumentParser.ParsedDocument;
import org.lengthwise.dataprep.source.DocumentReader;
import org.lengthwise.dataprep.source.Part;
import org.lengthwise.dataprep.source.PartReader;
import org.lengthwise.dataprep.source.RawDocument;

/**
 * Reads parts of a corpus and returns the keys of their documents' texts, on the calling thread.
 * This is the work of one task when many machines look for duplicates together. Nothing is
 * tokenised.
 */
public final class PartKeys {

  @FunctionalInterface
  public interface Sink {

    /**
     * Receives the key of the next document. Malformed records have no key.
     *
     * @param ordinal the document's number among all documents of the parts, counted from 0;
     *     malformed records and skipped entries have numbers too
     */
    void accept(TextKey key, long ordinal) throws IOException;
  }

  private final PrepareSettings settings;
  private final PartReader reader;

  public PartKeys(PrepareSettings settings, PartReader reader) {
    this.settings = settings;
    this.reader = reader;
  }

  /** Reads parts in their order, and returns the number of malformed records. */
  public int run(List<Part> parts, Sink sink) throws IOException {
    RejectLimit limit = new RejectLimit(settings.rejectLimit());
    DocumentParser parser = new DocumentParser(settings.textColumn());
    long ordinal = 0;
    int numRejects = 0;
    for (Part part : parts) {
      try (DocumentReader documents = reader.open(part, settings.documentByteLimit())) {
        for (RawDocument raw = documents.next(); raw != null; raw = documents.next()) {
          ParsedDocument parsed = parser.parse(raw);
          if (parsed instanceof ParsedDocument.Text document) {
            sink.accept(TextKey.of(document.text()), ordinal);
          } else if (parsed instanceof DocumentFate.Rejected rejected) {
            limit.requireRoomFor(rejected, numRejects);
            numRejects++;
          }
          ordinal++;
        }
        if (part.coversFile()) {
          documents.finish(); // detects a truncated file
        }
      }
    }
    return numRejects;
  }
}
