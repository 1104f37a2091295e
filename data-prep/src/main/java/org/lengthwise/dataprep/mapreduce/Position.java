package org.lengthwise.dataprep.mapreduce;

import java.nio.ByteBuffer;
import java.util.Comparator;
import org.apache.hadoop.io.BytesWritable;
import org.lengthwise.config.Checks;

/**
 * A document's position in the corpus.
 *
 * @param ordinal its number among the unit's documents, rejects and skipped entries, from 0
 */
record Position(int unit, long ordinal) implements Comparable<Position> {

  private static final Comparator<Position> ORDER =
      Comparator.comparingInt(Position::unit).thenComparingLong(Position::ordinal);

  Position {
    Checks.atLeast("unit", unit, 0);
    Checks.atLeast("ordinal", ordinal, 0);
  }

  static Position of(BytesWritable bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes.getBytes(), 0, bytes.getLength());
    return new Position(buffer.getInt(), buffer.getLong());
  }

  BytesWritable toBytes() {
    ByteBuffer buffer = ByteBuffer.allocate(Integer.BYTES + Long.BYTES);
    return new BytesWritable(buffer.putInt(unit).putLong(ordinal).array());
  }

  @Override
  public int compareTo(Position other) {
    return ORDER.compare(this, other);
  }
}
