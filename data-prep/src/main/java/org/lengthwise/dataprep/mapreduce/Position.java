package org.lengthwise.dataprep.mapreduce;

import java.nio.ByteBuffer;
import java.util.Comparator;
import org.apache.hadoop.io.BytesWritable;

/**
 * A document's place in the corpus.
 *
 * @param unit the number of its unit
 * @param ordinal its number among all that is read of the unit, counted from 0
 */
record Position(int unit, long ordinal) implements Comparable<Position> {

  private static final Comparator<Position> ORDER =
      Comparator.comparingInt(Position::unit).thenComparingLong(Position::ordinal);

  /** Checks the ranges. */
  Position {
    if (unit < 0 || ordinal < 0) {
      throw new IllegalArgumentException(
          "unit and ordinal must not be negative, found %d and %d".formatted(unit, ordinal));
    }
  }

  static Position of(BytesWritable bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes.getBytes(), 0, bytes.getLength());
    return new Position(buffer.getInt(), buffer.getLong());
  }

  /** The position as bytes of the same order. */
  BytesWritable toBytes() {
    ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + Long.BYTES);
    return new BytesWritable(buffer.putInt(unit).putLong(ordinal).array());
  }

  @Override
  public int compareTo(Position other) {
    return ORDER.compare(this, other);
  }
}
