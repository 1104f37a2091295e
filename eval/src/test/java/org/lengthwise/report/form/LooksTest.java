package org.lengthwise.report.form;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
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

  @Test
  void aRunThatStartsFromAnotherHasItsColour() {
    Looks looks =
        new Looks(
            List.of("rope", "longer", "alibi", "dropped", "guest"),
            Map.of(),
            Map.of("longer", "rope", "dropped", "longer", "guest", "absent"));
    assertThat(List.of(looks.look("rope"), looks.look("alibi"), looks.look("guest")))
        .containsExactly(0, 1, 2);
    assertThat(List.of(looks.look("longer"), looks.look("dropped"))).containsExactly(8, 16);
  }
}
