package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.lengthwise.dataprep.artifact.AppendedFile;
import org.lengthwise.dataprep.artifact.AppendedFile.Mark;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.shard.InputEntry;

/**
 * The input files that were read to their end: in memory, and in a file of which a checkpoint needs
 * to note the length alone, however many there are.
 */
final class FinishedInputs implements Closeable {

  private static final String NAME = "inputs.jsonl";

  private final ObjectMapper mapper = ConfigLoader.strictMapper();
  private final List<InputEntry> entries = new ArrayList<>();
  private final AppendedFile log;
  private final OutputStream out;

  private FinishedInputs(AppendedFile log) {
    this.log = log;
    out = new BufferedOutputStream(Channels.newOutputStream(log));
  }

  static FinishedInputs create(Path notes) throws IOException {
    return new FinishedInputs(AppendedFile.create(notes.resolve(NAME)));
  }

  /** The files as they were at a mark; empty if the list is not what it was. */
  static Optional<FinishedInputs> takeUp(Path notes, Mark mark) throws IOException {
    Optional<AppendedFile> log = AppendedFile.cutBack(notes.resolve(NAME), mark);
    if (log.isEmpty()) {
      return Optional.empty();
    }
    FinishedInputs inputs = new FinishedInputs(log.get());
    for (String line : Files.readAllLines(notes.resolve(NAME))) {
      inputs.entries.add(inputs.mapper.readValue(line, InputEntry.class));
    }
    return Optional.of(inputs);
  }

  void add(InputEntry entry) throws IOException {
    entries.add(entry);
    out.write(mapper.writeValueAsBytes(entry));
    out.write('\n');
  }

  List<InputEntry> entries() {
    return entries;
  }

  Mark mark() throws IOException {
    out.flush();
    return log.mark();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
