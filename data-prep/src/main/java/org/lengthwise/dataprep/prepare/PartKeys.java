package org.lengthwise.dataprep.prepare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.lengthwise.dataprep.source.DocumentSink;
import org.lengthwise.dataprep.source.Part;
import org.lengthwise.dataprep.source.PartReader;
import org.lengthwise.dataprep.source.RawDocument;

/**
 * From some parts of a corpus to the keys of their documents' texts, on the calling thread: the
 * share of one task where many machines look for repeated texts together. Nothing is tokenised.
 */
public final class PartKeys {

  /** Takes keys, in the order of the documents. */
  @FunctionalInterface
  public interface Sink {

    /**
     * Takes the key of the next document. Records that are malformed have none.
     *
     * @param key what the document has in common with others of the same text
     * @param ordinal its number among all that is read of the parts, counted from 0; malformed
     *     records and entries that are passed over have numbers too
     * @throws IOException if the key cannot be passed on
     */
    void accept(TextKey key, long ordinal) throws IOException;
  }

  private final PrepareSettings settings;
  private final PartReader reader;

  /**
   * A reader of keys.
   *
   * @param settings what decides which records are documents; the limit of rejects holds for each
   *     run
   * @param reader reads the parts
   */
  public PartKeys(PrepareSettings settings, PartReader reader) {
    this.settings = settings;
    this.reader = reader;
  }

  /**
   * Reads parts in their order.
   *
   * @param parts what to read
   * @param sink takes the keys
   * @return how many records are malformed
   * @throws IOException if the sink fails
   * @throws org.lengthwise.dataprep.DataFormatException if a part is damaged, or too many records
   *     are malformed
   */
  public int run(List<Part> parts, Sink sink) throws IOException {
    Documents documents = new Documents(new RejectLimit(settings.rejectLimit()), sink);
    try {
      for (Part part : parts) {
        reader.read(part, settings.documentByteLimit(), documents);
      }
      return documents.numRejects;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Numbers and judges documents. */
  private static final class Documents implements DocumentSink {

    private final DocumentJudge judge = new DocumentJudge();
    private final RejectLimit limit;
    private final Sink sink;
    private long numRead;
    private int numRejects;

    Documents(RejectLimit limit, Sink sink) {
      this.limit = limit;
      this.sink = sink;
    }

    @Override
    public void accept(RawDocument raw) {
      long ordinal = numRead++;
      Judgement judgement = judge.judge(raw);
      if (judgement instanceof Judgement.Accepted document) {
        passOn(TextKey.of(document.text()), ordinal);
      } else if (((Judgement.Refused) judgement).outcome() instanceof Outcome.Rejected rejected) {
        limit.requireRoomFor(rejected, numRejects);
        numRejects++;
      }
    }

    private void passOn(TextKey key, long ordinal) {
      try {
        sink.accept(key, ordinal);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
