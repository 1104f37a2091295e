package org.lengthwise.report.form;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lengthwise.plot.Axis.Mark;

class LooksTest {
  @Test
  void longestTrainingLengthHasTheWordsOfAll() {
    assertThat(Looks.trainedAt(List.of(1024, 512, 1024)))
        .containsExactly(new Mark(512, ""), new Mark(1024, "trained at 512 and 1,024"));
    assertThat(Looks.trainedAt(List.of(64))).containsExactly(new Mark(64, "trained at 64"));
    assertThat(Looks.trainedAt(List.of())).isEmpty();
  }
}
