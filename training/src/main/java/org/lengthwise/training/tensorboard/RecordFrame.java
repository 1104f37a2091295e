package org.lengthwise.training.tensorboard;

import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.zip.CRC32C;

/** A message between its length and its checksums. */
final class RecordFrame {
  private static final int HEADER = Long.BYTES + Integer.BYTES;

  /** More than any of our messages takes: a longer one is a damaged length. */
  private static final long LONGEST = 1 << 20;

  private static final int MASK = 0xa282ead8;
  private static final int MASK_ROTATION = 15;

  private RecordFrame() {}

  /** The bytes of a whole record. */
  static byte[] of(byte[] message) {
    byte[] bytes = new byte[HEADER + message.length + Integer.BYTES];
    ByteBuffer record = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    record.putLong(message.length).putInt(checksum(bytes, 0, Long.BYTES)).put(message);
    record.putInt(checksum(bytes, HEADER, message.length));
    return bytes;
  }

  /**
   * Reads the next message.
   *
   * @return the message; empty at the end, and where a record is cut short or damaged
   */
  static Optional<byte[]> read(DataInputStream in) throws IOException {
    try {
      byte[] header = new byte[HEADER];
      in.readFully(header);
      ByteBuffer numbers = ByteBuffer.wrap(header).order(ByteOrder.LITTLE_ENDIAN);
      long length = numbers.getLong();
      if (numbers.getInt() != checksum(header, 0, Long.BYTES) || length < 0 || length > LONGEST) {
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

  /** The size of a message's whole record. */
  static long size(byte[] message) {
    return HEADER + message.length + (long) Integer.BYTES;
  }

  /** CRC-32C, turned and shifted so that a checksum over checksums keeps its strength. */
  private static int checksum(byte[] bytes, int from, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, from, length);
    return Integer.rotateRight((int) crc.getValue(), MASK_ROTATION) + MASK;
  }
}
