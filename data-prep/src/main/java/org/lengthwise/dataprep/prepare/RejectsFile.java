package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.artifact.AppendedFile;
import org.lengthwise.artifact.AppendedFile.Prefix;
import org.lengthwise.config.ConfigLoader;

/**
 * The file {@code rejects.jsonl} of an output: the malformed records, one JSON object per line, in
 * the order of reading.
 */
final class RejectsFile implements AutoCloseable {

  static final String NAME = "rejects.jsonl";

  /** The number of rejects whose reasons are also logged, each once. */
  private static final int LOGGED = 10;

  private static final String FURTHER = "further rejects are listed in " + NAME + " only";

  private static final Logger LOG = LogManager.getLogger(RejectsFile.class);

  private record Reject(String source, long line, String reason, String encoding, String content) {}

  private final ObjectMapper mapper = ConfigLoader.strictMapper();
  private final Set<String> logged = new HashSet<>();
  private final AppendedFile file;
  private final OutputStream out;

  private RejectsFile(AppendedFile file) {
    this.file = file;
    out = new BufferedOutputStream(Channels.newOutputStream(file));
  }

  static RejectsFile create(Path folder) throws IOException {
    return new RejectsFile(AppendedFile.create(folder.resolve(NAME)));
  }

  static Optional<RejectsFile> resume(Path folder, Prefix prefix) throws IOException {
    return AppendedFile.resume(folder.resolve(NAME), prefix).map(RejectsFile::new);
  }

  Prefix sync() throws IOException {
    out.flush();
    return file.sync();
  }

  /** Writes a record and its number among the rejects of this output, from 1. */
  void add(DocumentFate.Rejected rejected, long number) throws IOException {
    if (number <= LOGGED && logged.add(rejected.reason())) {
      LOG.warn("rejected {}: {}", rejected.origin(), rejected.reason());
    } else if (logged.add(FURTHER)) {
      LOG.warn(FURTHER);
    }
    out.write(mapper.writeValueAsBytes(line(rejected)));
    out.write('\n');
  }

  private static Reject line(DocumentFate.Rejected rejected) {
    String text = rejected.content().text();
    return new Reject(
        rejected.origin().source(),
        rejected.origin().line(),
        rejected.reason(),
        text == null ? "base64" : "utf-8",
        text == null ? Base64.getEncoder().encodeToString(rejected.content().array()) : text);
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
