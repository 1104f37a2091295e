package org.lengthwise.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.training.config.RecallConfig;

/** The distribution of drawn strings, and the rules without a long memory on them. */
class RecallDrawTest {

  private static long numTargets(RecallString string) {
    return Arrays.stream(string.targets()).filter(id -> id >= 0).count();
  }

  /** Training strings of mqar with one or two pairs are few, so they repeat. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "mqar",
        "copy",
        "reverse",
        "selective_copy",
        "induction",
        "passkey",
        "flipflop",
        "scratchpad"
      })
  void stringsAreReproducibleAndStreamsHaveNoneInCommon(String name) {
    boolean isShort = name.equals("scratchpad"); // 20 bits have too few strings
    DrawnTask task = isShort ? Tasks.of(name, "task.lengths=[1, 60]") : Tasks.of(name);
    int longest = task.lengths().get(1);
    Set<String> seen = new HashSet<>();
    for (Stream stream : Stream.values()) {
      Set<String> own = new HashSet<>();
      for (RecallString string : Tasks.draw(task, stream, longest, 10_000)) {
        if (stream == Stream.TEST || numTargets(string) > 2 || !name.equals("mqar")) {
          own.add(new String(string.ids(), 0, string.ids().length)); // ids are code points
        }
      }
      assertThat(seen.stream().anyMatch(own::contains)).isFalse();
      seen.addAll(own);
    }
    List<RecallString> few = Tasks.draw(task, Stream.TEST, longest, 10);
    List<RecallString> many = Tasks.draw(task, Stream.TEST, longest, 1000);
    for (int i = 0; i < few.size(); i++) {
      assertThat(few.get(i).ids()).containsExactly(many.get(i).ids());
    }
  }

  @ParameterizedTest
  @CsvSource({"0.01, 13.2, 1.0", "1, 50, 1.5"})
  void powerLawOfQueriesPrefersNearSlots(double a, double percent, double tolerance) {
    DrawnTask task = Tasks.of("mqar", "task.pairs=8", "task.a=" + a);
    int far = 0;
    for (RecallString string : Tasks.draw(task, Stream.TEST, 512, 4000)) {
      Set<Integer> asked = new HashSet<>();
      for (int t = 16; t < 512; t++) {
        if (string.asks(t)) {
          asked.add(string.ids()[t]);
          far += (t - 16) / 2 >= 248 / 2 ? 1 : 0;
        }
      }
      assertThat(asked).hasSize(8);
    }
    assertThat(100.0 * far / (8 * 4000)).isCloseTo(percent, within(tolerance));
  }

  @Test
  void trainingVariesThePairsAndAMeasurementFixesThem() {
    DrawnTask task = Tasks.of("mqar");
    assertThat(Tasks.draw(task, Stream.TRAIN, 32, 200))
        .extracting(RecallDrawTest::numTargets)
        .contains(1L, 2L, 3L, 4L)
        .allMatch(n -> n <= 4);
    assertThat(Tasks.draw(task, Stream.TEST, 32, 200))
        .extracting(RecallDrawTest::numTargets)
        .containsOnly(4L);
    assertThatThrownBy(() -> Tasks.draw(task, Stream.TEST, 14, 1))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining("length: expected at least 16");
  }

  private static double chiSquare(long[] counts) {
    double expected = Arrays.stream(counts).average().orElseThrow();
    return Arrays.stream(counts).mapToDouble(n -> (n - expected) * (n - expected) / expected).sum();
  }

  /** The quantile at 0.999 of chi-square, after Wilson and Hilferty. */
  private static double most(int degrees) {
    double variance = 2.0 / (9 * degrees);
    return degrees * Math.pow(1 - variance + 3.0902 * Math.sqrt(variance), 3);
  }

  @Test
  void lettersOfCopyAndPlacesOfInductionAreUniform() {
    long[] letters = new long[26];
    for (RecallString string : Tasks.draw(Tasks.of("copy"), Stream.TEST, 20, 5000)) {
      Arrays.stream(string.ids(), 1, 21).forEach(id -> letters[id]++);
    }
    assertThat(chiSquare(letters)).isLessThan(most(25));
    long[] places = new long[62];
    for (RecallString string : Tasks.draw(Tasks.of("induction"), Stream.TEST, 64, 10_000)) {
      assertThat(Arrays.stream(string.ids()).filter(id -> id == 16)).hasSize(2);
      places[Arrays.stream(string.ids()).boxed().toList().indexOf(16)]++;
    }
    assertThat(chiSquare(places)).isLessThan(most(61));
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, 0.3, 0.5, 1})
  void needleHasTheDepthOfTheMeasurement(double depth) {
    DrawnTask task =
        Tasks.of("passkey", "task.decoys=2", "task.lengths=[40, 48]")
            .with(JsonNodeFactory.instance.objectNode().put("depth", depth));
    int room = 96 - 6 - 21;
    for (RecallString string : Tasks.draw(task, Stream.TEST, 96, 200)) {
      int[] ids = string.ids();
      assertThat(Arrays.stream(ids).filter(id -> id >= 36 && id < 44).distinct()).hasSize(3);
      int asked = ids.length - 5 - string.distance()[ids.length - 5] - 2;
      assertThat(Arrays.stream(ids, 0, asked).filter(id -> id >= 10 && id < 36))
          .hasSize((int) Math.floor(depth * room + 0.5));
      assertThat(Arrays.stream(ids).filter(id -> id < 10)).hasSize(3 * 5 + 4);
      assertThat(Passkey.isDecoy(string, Arrays.copyOfRange(string.targets(), 91, 96))).isFalse();
    }
  }

  @Test
  void trainingHasEveryDepth() {
    assertThatThrownBy(() -> new RecallConfig(Tasks.of("passkey", "task.depth=0.5")))
        .hasMessageContaining("depth: expected no depth");
  }

  private static double[] shares(DrawnTask task, int baseline, int length, int count) {
    Baseline.Rule rule = task.baselines().get(baseline).rule();
    long tokens = 0;
    long right = 0;
    long rightStrings = 0;
    for (RecallString string : Tasks.draw(task, Stream.TEST, length, count)) {
      boolean isRight = true;
      for (int t = 0; t < string.ids().length; t++) {
        if (string.asks(t)) {
          boolean hit = rule.at(string, t) == string.targets()[t];
          tokens++;
          right += hit ? 1 : 0;
          isRight &= hit;
        }
      }
      rightStrings += isRight ? 1 : 0;
    }
    return new double[] {100.0 * right / tokens, 100.0 * rightStrings / count};
  }

  @ParameterizedTest
  @CsvSource({"0.8, 60, 100", "0.98, 51, 1000", "0.1, 95, 100"})
  void lastBitIsRightAsOftenAsItsFormulaSays(double p, double percent, int count) {
    DrawnTask task = Tasks.of("flipflop", "task.p=" + p);
    assertThat(shares(task, 0, 4096, count)[0]).isCloseTo(percent, within(0.5));
  }

  @ParameterizedTest
  @CsvSource({"0.8, 99.96, 100", "0.98, 73.81, 400"})
  void windowOfInstructionsIsRightAsOftenAsItsFormulaSays(double p, double percent, int count) {
    DrawnTask task = Tasks.of("flipflop", "task.p=" + p);
    assertThat(shares(task, 1, 4096, count)[0]).isCloseTo(percent, within(1.0));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 20, 73, 0", "1, 40, 55, 0", "1, 80, 35, 0", "1, 160, 20, 0",
    "2, 20, 98.8, 75", "2, 40, 97.4, 30", "2, 80, 94.6, 1", "2, 160, 89.9, 0",
    "3, 20, 100, 99", "3, 40, 99.9, 96", "3, 80, 99.8, 86", "3, 160, 99.6, 50.7"
  })
  void lookupReachesTheMeasuredTable(int n, int length, double tokens, double strings) {
    double[] found = shares(Tasks.of("copy"), n - 1, length, 1500);
    assertThat(found[0]).isCloseTo(tokens, within(2.0));
    assertThat(found[1]).isCloseTo(strings, within(6.0));
    assertThat(shares(Tasks.of("reverse"), n - 1, length, 200)[0]).isCloseTo(tokens, within(2.0));
  }

  @Test
  void rulesOfTheOtherTasksReachTheirFormulas() {
    assertThat(shares(Tasks.of("mqar"), 0, 64, 1000)[0]).isEqualTo(25);
    assertThat(shares(Tasks.of("passkey"), 0, 96, 1000)[1]).isCloseTo(50, within(5.0));
    // The answer of a string of 64 tokens lies in the window if the place is at least 31.
    double share = 31.0 / 62;
    assertThat(shares(Tasks.of("induction"), 0, 64, 2000)[0])
        .isCloseTo(100 * (share + (1 - share) / 16), within(4.0));
  }
}
