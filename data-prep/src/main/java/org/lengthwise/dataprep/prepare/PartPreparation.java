package org.lengthwise.dataprep.prepare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lengthwise.artifact.Workspace;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.source.DocumentReader;
import org.lengthwise.dataprep.source.Part;
import org.lengthwise.dataprep.source.PartReader;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/**
 * Prepares parts of a corpus on the calling thread: the work of one task when many machines prepare
 * a corpus together. It writes shards and rejects, but no manifest. The caller says which documents
 * are duplicates, because a task does not see the texts of other tasks.
 */
public final class PartPreparation {

  @FunctionalInterface
  public interface Duplicates {

    /**
     * {@return whether an equal text occurred before} Called once for each number that {@link
     * PartKeys} counts, in ascending order.
     */
    boolean contains(long ordinal) throws IOException;
  }

  private final PrepareSettings settings;
  private final Tokenizer tokenizer;
  private final PartReader reader;

  /**
   * A preparation for any number of runs.
   *
   * @param settings decide the output; the reject limit holds for each run; {@code dedup} is
   *     ignored
   */
  public PartPreparation(PrepareSettings settings, Tokenizer tokenizer, PartReader reader) {
    this.settings = settings.withoutDeduplication();
    this.tokenizer = tokenizer;
    this.reader = reader;
  }

  /**
   * Prepares parts in their order.
   *
   * @param folder an empty local folder; the files are written to its {@link Workspace#content()}
   */
  public PreparedParts run(List<Part> parts, Duplicates duplicates, Path folder)
      throws IOException {
    Workspace workspace = new Workspace(folder);
    Files.createDirectory(workspace.content());
    DocumentTokeniser tokeniser = new DocumentTokeniser(tokenizer, settings);
    List<InputEntry> files = new ArrayList<>();
    long ordinal = 0;
    try (DocumentOutput output =
        DocumentOutput.create(workspace, Preparation.identity(tokenizer), settings)) {
      for (Part part : parts) {
        try (DocumentReader documents = reader.open(part, settings.documentByteLimit())) {
          for (RawDocument raw = documents.next(); raw != null; raw = documents.next()) {
            boolean isDuplicate = duplicates.contains(ordinal++);
            output.add(
                isDuplicate ? new DocumentFate.Duplicate(raw.origin()) : tokeniser.fateOf(raw));
          }
          if (part.coversFile()) {
            files.add(documents.finish());
          }
        }
      }
      return new PreparedParts(output.finish(), output.tally(), files);
    }
  }

  /**
   * The output of some parts of a corpus.
   *
   * @param splits the shards of each split; a split without documents may be absent
   * @param files the length and checksum of those parts that are whole files, in the order of
   *     reading
   */
  public record PreparedParts(Map<Split, SplitEntry> splits, Tally tally, List<InputEntry> files) {

    public PreparedParts {
      splits = Map.copyOf(splits);
      files = List.copyOf(files);
    }
  }
}
