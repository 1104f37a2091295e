package org.lengthwise.experiment;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * A run in its own process. The parent keeps the input of the process open, and closes it to stop
 * the run. If the parent is killed, the input closes too, and the run stops.
 */
final class QueuedRun {
  private static final Logger LOG = LogManager.getLogger(QueuedRun.class);

  /** More than the length of a line. */
  private static final int TAIL_BYTES = 4096;

  private final String name;
  private final Slot slot;
  private final Path log;
  private final Process process;

  private QueuedRun(String name, Slot slot, Path log, Process process) {
    this.name = name;
    this.slot = slot;
    this.log = log;
    this.process = process;
  }

  /** Starts a command whose output is appended to a file. */
  static QueuedRun start(String name, Slot slot, List<String> command, Path log)
      throws IOException {
    Files.createDirectories(log.toAbsolutePath().getParent());
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().putAll(slot.environment());
    return new QueuedRun(name, slot, log, builder.start());
  }

  String name() {
    return name;
  }

  Slot slot() {
    return slot;
  }

  Path log() {
    return log;
  }

  Process process() {
    return process;
  }

  /** Closes the input of the process, which requests a stop. Further calls do nothing. */
  void askToStop() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      LOG.debug("{} has ended already", name, e);
    }
  }

  /** Waits until the process has ended, even if this thread is interrupted. */
  void awaitEnd() {
    boolean interrupted = false;
    while (process.isAlive()) {
      try {
        process.waitFor();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** The latest line of the log outside a stack trace, or the reason why there is none. */
  String latestLine() {
    try {
      return readLatestLine();
    } catch (IOException e) {
      return "its log cannot be read: " + e; // the run itself is not affected
    }
  }

  private String readLatestLine() throws IOException {
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "r")) {
      byte[] tail = new byte[(int) Math.min(TAIL_BYTES, file.length())];
      file.seek(file.length() - tail.length);
      file.readFully(tail);
      Optional<String> latest =
          new String(tail, StandardCharsets.UTF_8)
              .lines()
              .filter(line -> !line.isBlank() && !Character.isWhitespace(line.charAt(0)))
              .reduce((earlier, later) -> later);
      return latest.orElse("its log is empty");
    }
  }
}
