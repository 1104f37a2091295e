package org.lengthwise.eval.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InterleavedTest {
  private final List<String> passes = new ArrayList<>();

  private Interleaved.Form form(String name, double result) {
    return Interleaved.Form.of(name, () -> pass(name, result));
  }

  private double pass(String name, double result) {
    passes.add(name);
    return result;
  }

  @Test
  void formsTakeTurnsAfterOnePassOfEach(@TempDir Path nothing) {
    List<Interleaved.Timed> timed =
        new Interleaved(new ProcessMemory(nothing), 2).run(List.of(form("a", 1), form("b", 2)));
    assertThat(passes).containsExactly("a", "b", "a", "b", "a", "b");
    assertThat(timed).extracting(Interleaved.Timed::form).containsExactly("a", "b");
    assertThat(timed).extracting(Interleaved.Timed::result).containsExactly(1.0, 2.0);
    assertThat(timed).extracting(of -> of.timing().repetitions()).containsExactly(2, 2);
    assertThat(timed).allSatisfy(of -> assertThat(of.timing().median()).isNotNegative());
  }

  @Test
  void aFormThatTakesMinutesRunsOnce(@TempDir Path nothing) {
    Interleaved.Form once = Interleaved.Form.once("slow", () -> pass("slow", 3));
    List<Interleaved.Timed> timed =
        new Interleaved(new ProcessMemory(nothing), 3).run(List.of(form("fast", 3), once));
    assertThat(passes).containsExactly("fast", "slow", "fast", "fast", "fast");
    assertThat(timed.get(1).timing().repetitions()).isEqualTo(1);
  }

  @Test
  void medianLiesInTheMiddle() {
    assertThat(Timing.of(new double[] {9, 1, 2})).isEqualTo(new Timing(2, 1, 9, 3));
    assertThat(Timing.of(new double[] {4, 1, 2, 9})).isEqualTo(new Timing(3, 1, 9, 4));
  }
}
