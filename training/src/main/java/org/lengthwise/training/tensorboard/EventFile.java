package org.lengthwise.training.tensorboard;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/** A run's event file. Each record is complete when {@link #write} returns. */
public final class EventFile implements AutoCloseable {
  private static final int HEADER = Long.BYTES + Integer.BYTES;

  /** Larger than any message of a run. A longer record has a damaged length. */
  private static final long MAX_MESSAGE = 1 << 20;

  private static final int MASK = 0xa282ead8;
  private static final int MASK_ROTATION = 15;

  private final FileChannel channel;
  private final OutputStream out;
  private final Clock clock;

  private EventFile(FileChannel channel, Clock clock) {
    this.channel = channel;
    this.out = Channels.newOutputStream(channel);
    this.clock = clock;
  }

  /**
   * Opens the file of a run that resumes after a step. Records of later steps are removed, since
   * these steps run again. The file is also truncated at the first unknown tag.
   *
   * @param step finished steps; 0 empties the file
   * @param isKnown whether a tag belongs to this run
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

  /** The bytes of the intact records up to a step and before the first unknown tag. */
  private static long sizeUpTo(Path file, long step, Predicate<String> isKnown) throws IOException {
    long size = 0;
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      Optional<byte[]> message = read(in);
      while (message.isPresent()
          && EventMessage.step(message.get()) <= step
          && EventMessage.tags(message.get()).stream().allMatch(isKnown)) {
        size += size(message.get());
        message = read(in);
      }
    }
    return size;
  }

  /** Writes scalars of one step. */
  public void write(long step, Map<String, Double> scalars) throws IOException {
    write(EventMessage.scalars(clock.instant(), step, scalars));
  }

  private void write(byte[] message) throws IOException {
    out.write(record(message)); // unbuffered: one call, one record
  }

  public void force() throws IOException {
    channel.force(true);
  }

  @Override
  public void close() throws IOException {
    out.close(); // also closes the channel
  }

  private static byte[] record(byte[] message) {
    byte[] bytes = new byte[HEADER + message.length + Integer.BYTES];
    ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    buffer.putLong(message.length).putInt(checksum(bytes, 0, Long.BYTES)).put(message);
    buffer.putInt(checksum(bytes, HEADER, message.length));
    return bytes;
  }

  /** Reads the next message; empty at the end of the file and at a damaged record. */
  private static Optional<byte[]> read(DataInputStream in) throws IOException {
    try {
      byte[] header = new byte[HEADER];
      in.readFully(header);
      ByteBuffer numbers = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
      long length = numbers.getLong();
      if (numbers.getInt() != checksum(header, 0, Long.BYTES)
          || length < 0
          || length > MAX_MESSAGE) {
        return Optional.empty();
      }
      byte[] message = new byte[(int) length];
      in.readFully(message);
      int found = Integer.reverseBytes(in.readInt());
      return found == checksum(message, 0, message.length)
          ? Optional.of(message)
          : Optional.empty();
    } catch (EOFException e) {
      return Optional.empty();
    }
  }

  private static long size(byte[] message) {
    return HEADER + message.length + (long) Integer.BYTES;
  }

  /** The masked CRC-32C of TensorFlow's record format: rotated, plus a constant. */
  private static int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return Integer.rotateRight((int) crc.getValue(), MASK_ROTATION) + MASK;
  }
}
