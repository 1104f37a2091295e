package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.artifact.AppendedFile;
import org.lengthwise.dataprep.config.ConfigLoader;

/**
 * The records that were set aside as malformed: {@code rejects.jsonl} in the output, one JSON
 * object a line, in the order of reading.
 */
final class RejectsFile implements AutoCloseable {

  static final String NAME = "rejects.jsonl";

  /** So many are also told as they are met; a flood of them is better read in the file. */
  private static final int TOLD = 10;

  private static final Logger LOG = LogManager.getLogger(RejectsFile.class);

  /** A line of the file. */
  private record Reject(String source, long line, String reason, String encoding, String content) {}

  /**
   * The file as it was between two records.
   *
   * @param count how many records it held
   * @param content its length and checksum
   */
  record Mark(int count, AppendedFile.Mark content) {}

  private final ObjectMapper mapper = ConfigLoader.strictMapper();
  private final AppendedFile file;
  private final OutputStream out;
  private final RejectLimit limit;
  private int count;

  private RejectsFile(AppendedFile file, RejectLimit limit, int count) {
    this.file = file;
    out = new BufferedOutputStream(Channels.newOutputStream(file));
    this.limit = limit;
    this.count = count;
  }

  static RejectsFile create(Path folder, RejectLimit limit) throws IOException {
    return new RejectsFile(AppendedFile.create(folder.resolve(NAME)), limit, 0);
  }

  /** Refuses what an attempt with a higher limit set aside. */
  static void requireWithin(RejectLimit limit, Mark mark, Path folder) {
    limit.requireHeld(
        mark.count(),
        folder.toString(),
        "in what was prepared so far",
        "raise reject_limit, or mend the input and remove this folder to start over");
  }

  /** The file as it was at a mark; empty if it does not hold what it held then. */
  static Optional<RejectsFile> takeUp(Path folder, RejectLimit limit, Mark mark)
      throws IOException {
    return AppendedFile.cutBack(folder.resolve(NAME), mark.content())
        .map(file -> new RejectsFile(file, limit, mark.count()));
  }

  Mark mark() throws IOException {
    out.flush();
    return new Mark(count, file.mark());
  }

  /** Sets a record aside, or stops the run if too many have been. */
  void add(Outcome.Rejected rejected) throws IOException {
    limit.requireRoomFor(rejected, count);
    count++;
    if (count <= TOLD) {
      LOG.warn("set aside {}: {}", rejected.origin(), rejected.reason());
    } else if (count == TOLD + 1) {
      LOG.warn("more records are set aside; {} lists them all", NAME);
    }
    out.write(mapper.writeValueAsBytes(line(rejected)));
    out.write('\n');
  }

  private static Reject line(Outcome.Rejected rejected) {
    String text = rejected.content().text();
    return new Reject(
        rejected.origin().source(),
        rejected.origin().line(),
        rejected.reason(),
        text == null ? "base64" : "utf-8",
        text == null ? Base64.getEncoder().encodeToString(rejected.content().array()) : text);
  }

  int count() {
    return count;
  }

  @Override
  public void close() throws IOException {
    out.close();
  }
}
