package org.lengthwise.training.tensorboard;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** A run's event file, in which each record is written whole before the run goes on. */
public final class EventFile implements AutoCloseable {
  private final FileChannel channel;
  private final OutputStream out;
  private final Clock clock;

  private EventFile(FileChannel channel, Clock clock) {
    this.channel = channel;
    this.out = Channels.newOutputStream(channel);
    this.clock = clock;
  }

  /**
   * Opens the file of a run that goes on after a step. What an interrupted attempt wrote beyond it
   * is cut off, for those steps will be made again; so is what follows a tag that the run does not
   * know of.
   *
   * @param file the file, made if it is not there
   * @param step finished steps; 0 begins the file anew
   * @param isKnown whether the run knows of what a tag tells
   * @param clock what says when something was written
   * @return the open file, to be closed by the caller
   * @throws IOException if it cannot be read or written
   */
  public static EventFile resume(Path file, long step, Predicate<String> isKnown, Clock clock)
      throws IOException {
    long kept = step == 0 || !Files.exists(file) ? 0 : sizeUpTo(file, step, isKnown);
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      channel.truncate(kept);
    }
    EventFile events = new EventFile(FileChannel.open(file, StandardOpenOption.APPEND), clock);
    if (kept == 0) {
      events.write(EventMessage.version(clock.instant()));
    }
    return events;
  }

  /** The bytes of the sound records that reach no further than a step, and than what is known. */
  private static long sizeUpTo(Path file, long step, Predicate<String> isKnown) throws IOException {
    long size = 0;
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      Optional<byte[]> message = RecordFrame.read(in);
      while (message.isPresent()
          && EventMessage.step(message.get()) <= step
          && EventMessage.tags(message.get()).stream().allMatch(isKnown)) {
        size += RecordFrame.size(message.get());
        message = RecordFrame.read(in);
      }
    }
    return size;
  }

  /**
   * Writes some scalars of one step, with the time.
   *
   * @param step finished steps
   * @param scalars each value by its tag, such as {@code training/loss}
   * @throws IOException if they cannot be written
   */
  public void write(long step, Map<String, Double> scalars) throws IOException {
    write(EventMessage.scalars(clock.instant(), step, scalars));
  }

  private void write(byte[] message) throws IOException {
    out.write(RecordFrame.of(message)); // unbuffered: one call, one record
  }

  /**
   * Returns when all records are on the disk.
   *
   * @throws IOException if they cannot be brought there
   */
  public void force() throws IOException {
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    out.close(); // and the channel with it
  }
}
