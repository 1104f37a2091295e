package org.lengthwise.dataprep.prepare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.source.Part;
import org.lengthwise.dataprep.source.PartReader;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/**
 * From some parts of a corpus to shards and rejects, on the calling thread: the share of one task
 * where many machines prepare a corpus together. It writes no manifest.
 */
public final class PartPreparation {

  private final PrepareSettings settings;
  private final Tokenizer tokenizer;
  private final PartReader reader;

  /**
   * A preparation that runs may be made of.
   *
   * @param settings what decides the output; the limit of rejects holds for each run
   * @param tokenizer turns the text into tokens; stays open
   * @param reader reads the parts
   */
  public PartPreparation(PrepareSettings settings, Tokenizer tokenizer, PartReader reader) {
    if (settings.dedup() != Deduplication.NONE) {
      throw new IllegalArgumentException("a share of a corpus cannot tell what repeats in another");
    }
    this.settings = settings;
    this.tokenizer = tokenizer;
    this.reader = reader;
  }

  /**
   * Prepares parts in their order.
   *
   * @param parts what to read
   * @param folder a local folder that exists and is empty; the files come to lie in the {@link
   *     Workspace#content()} of it
   * @return what was written
   * @throws IOException if a file cannot be written
   * @throws org.lengthwise.dataprep.DataFormatException if a part is damaged, or too many records
   *     are malformed
   */
  public PreparedParts run(List<Part> parts, Path folder) throws IOException {
    long start = System.nanoTime();
    Workspace workspace = new Workspace(folder);
    Files.createDirectory(workspace.content());
    DocumentTokeniser tokeniser =
        new DocumentTokeniser(tokenizer, settings.split(), settings.dedup());
    List<InputEntry> files = new ArrayList<>();
    try (DocumentOutput output =
        DocumentOutput.create(workspace, Preparation.identity(tokenizer), settings)) {
      for (Part part : parts) {
        reader
            .read(
                part,
                settings.documentByteLimit(),
                document -> take(output, tokeniser.outcomeOf(document)))
            .ifPresent(files::add);
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

  private static void take(DocumentOutput output, Outcome outcome) {
    try {
      output.take(outcome);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
