package org.lengthwise.dataprep.prepare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongPredicate;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.source.DocumentSink;
import org.lengthwise.dataprep.source.Part;
import org.lengthwise.dataprep.source.PartReader;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/**
 * From some parts of a corpus to shards and rejects, on the calling thread: the share of one task
 * where many machines prepare a corpus together. It writes no manifest, and is told which documents
 * to leave out, for it cannot know what repeats a text of another share.
 */
public final class PartPreparation {

  private final PrepareSettings settings;
  private final Tokenizer tokenizer;
  private final PartReader reader;

  /**
   * A preparation that runs may be made of.
   *
   * @param settings what decides the output; the limit of rejects holds for each run, and texts are
   *     not compared, whatever {@code dedup} says
   * @param tokenizer turns the text into tokens; stays open
   * @param reader reads the parts
   */
  public PartPreparation(PrepareSettings settings, Tokenizer tokenizer, PartReader reader) {
    this.settings = settings.withoutDeduplication();
    this.tokenizer = tokenizer;
    this.reader = reader;
  }

  /**
   * Prepares parts in their order.
   *
   * @param parts what to read
   * @param repeats tells whether a document is left out because its text occurred before; asked
   *     once for each number that {@link PartKeys} counts, in their order
   * @param folder a local folder that exists and is empty; the files come to lie in the {@link
   *     Workspace#content()} of it
   * @return what was written
   * @throws IOException if a file cannot be written
   * @throws org.lengthwise.dataprep.DataFormatException if a part is damaged, or too many records
   *     are malformed
   */
  public PreparedParts run(List<Part> parts, LongPredicate repeats, Path folder)
      throws IOException {
    long start = System.nanoTime();
    Workspace workspace = new Workspace(folder);
    Files.createDirectory(workspace.content());
    List<InputEntry> files = new ArrayList<>();
    try (DocumentOutput output =
        DocumentOutput.create(workspace, Preparation.identity(tokenizer), settings)) {
      DocumentSink documents = new Documents(repeats, output);
      for (Part part : parts) {
        reader.read(part, settings.documentByteLimit(), documents).ifPresent(files::add);
      }
      Map<Split, SplitEntry> splits = output.finish();
      double seconds = (System.nanoTime() - start) / 1e9;
      Checkpoint.Counts counts = output.counts();
      return new PreparedParts(
          new PrepareSummary(
              splits,
              counts.textBytes(),
              output.numRejects(),
              counts.passedOver(),
              counts.duplicates(),
              seconds),
          files);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Numbers documents, and tokenises those that are not left out. */
  private final class Documents implements DocumentSink {

    private final DocumentTokeniser tokeniser =
        new DocumentTokeniser(tokenizer, settings.split(), settings.dedup());
    private final LongPredicate repeats;
    private final DocumentOutput output;
    private long numRead;

    Documents(LongPredicate repeats, DocumentOutput output) {
      this.repeats = repeats;
      this.output = output;
    }

    @Override
    public void accept(RawDocument raw) {
      boolean repeated = repeats.test(numRead++);
      try {
        output.take(repeated ? new Outcome.Repeated(raw.origin()) : tokeniser.outcomeOf(raw));
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
