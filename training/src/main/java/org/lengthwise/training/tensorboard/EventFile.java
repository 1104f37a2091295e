package org.lengthwise.training.tensorboard;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Map;
import java.util.zip.CRC32C;

/** The event file of one attempt at a run. Each record is complete when {@link #write} returns. */
public final class EventFile implements AutoCloseable {
  private static final int HEADER = Long.BYTES + Integer.BYTES;
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
   * Begins a file. Readers drop the records of later steps in earlier files, since these steps run
   * again.
   *
   * @param file a file that does not exist
   * @param step the finished steps
   */
  public static EventFile create(Path file, long step, Clock clock) throws IOException {
    EventFile events =
        new EventFile(
            FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), clock);
    events.write(EventMessage.version(clock.instant()));
    if (step > 0) {
      events.write(EventMessage.restart(clock.instant(), step + 1));
    }
    return events;
  }

  /**
   * Writes scalars of one step.
   *
   * @param scalars each value by its tag, such as {@code training/loss}
   */
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

  /** The masked CRC-32C of TensorFlow's record format: rotated, plus a constant. */
  private static int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return Integer.rotateRight((int) crc.getValue(), MASK_ROTATION) + MASK;
  }
}
