package org.lengthwise.dataprep.mapreduce;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PositionTest {

  /** Ascending. */
  private static final List<Position> POSITIONS =
      List.of(
          new Position(0, 0),
          new Position(0, 127),
          new Position(0, 128),
          new Position(0, Long.MAX_VALUE),
          new Position(1, 0),
          new Position(255, 1),
          new Position(256, 0),
          new Position(Integer.MAX_VALUE, 1L << 40));

  @Test
  void theBytesHaveTheOrderOfThePositions() {
    for (Position one : POSITIONS) {
      for (Position other : POSITIONS) {
        int order = Integer.compare(POSITIONS.indexOf(one), POSITIONS.indexOf(other));
        assertThat(Integer.signum(one.compareTo(other))).isEqualTo(order);
        assertThat(Integer.signum(one.toBytes().compareTo(other.toBytes()))).isEqualTo(order);
      }
    }
  }

  @Test
  void aPositionIsReadAsItWasWritten() {
    for (Position position : POSITIONS) {
      assertThat(Position.of(position.toBytes())).isEqualTo(position);
    }
  }
}
