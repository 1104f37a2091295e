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
import org.lengthwise.artifact.AppendedFile;
import org.lengthwise.artifact.AppendedFile.Prefix;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.InputEntry;

/**
 * The input files that were read to their ends, in memory and in {@code inputs.jsonl}. A resume
 * point stores only the length of {@code inputs.jsonl}, for any number of inputs.
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

  static Optional<FinishedInputs> resume(Path notes, Prefix prefix) throws IOException {
    Optional<AppendedFile> log = AppendedFile.resume(notes.resolve(NAME), prefix);
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

  Prefix sync() throws IOException {
    out.flush();
    return log.sync();
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
