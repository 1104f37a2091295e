package org.lengthwise.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.result.CumulativeGradient.EffectiveField;
import org.lengthwise.result.CumulativeGradient.Point;

class CumulativeGradientTest {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);

  private static GradientNorms norms(float[]... samples) {
    return GradientNorms.of(IntStream.range(0, samples.length).asLongStream().toArray(), samples);
  }

  @Test
  void sharesAreSummedFromTheMostRecentPositionAndAveragedOverSamples() {
    // From the right: 0.4, 0.7, 0.9, 1 and 0.8, 0.86, 0.88, 1; the sum of a sample does not matter.
    CumulativeGradient curve =
        CumulativeGradient.of(norms(new float[] {1, 2, 3, 4}, new float[] {6, 1, 3, 40}));
    assertThat(curve.points()).extracting(Point::tokens).containsExactly(1, 2, 3, 4);
    assertThat(curve.points())
        .extracting(Point::share)
        .usingElementComparator((a, b) -> Math.abs(a - b) < 1e-12 ? 0 : Double.compare(a, b))
        .containsExactly(0.6, 0.78, 0.89, 1.0);
  }

  @Test
  void theBandIsTheNormalIntervalOfTheMeanClippedToZeroAndOne() {
    CumulativeGradient curve =
        CumulativeGradient.of(norms(new float[] {1, 2, 3, 4}, new float[] {6, 1, 3, 40}));
    // Shares 0.7 and 0.86 deviate by 0.08 sqrt(2), their mean by 0.08: 0.78 +- 0.1568.
    assertThat(curve.points().get(1).low()).isCloseTo(0.6232, within(1e-3));
    assertThat(curve.points().get(1).high()).isCloseTo(0.9368, within(1e-3));
    assertThat(curve.points().get(0).high()).isCloseTo(0.992, within(1e-3));
    assertThat(curve.points().get(3)).isEqualTo(new Point(4, 1, 1, 1));
  }

  @Test
  void theEffectiveFieldIsWhereTheCurveReachesTheShareAndItsIntervalWhereTheBandDoes() {
    CumulativeGradient curve =
        CumulativeGradient.of(norms(new float[] {1, 2, 3, 4}, new float[] {6, 1, 3, 40}));
    assertThat(curve.effective())
        .containsExactly(
            new EffectiveField(0.5, 1, 1, 2),
            new EffectiveField(0.9, 4, 1, 4),
            new EffectiveField(0.99, 4, 1, 4));
  }

  @Test
  void evenGradientsNeedThatShareOfTheTokensAndOneTokenCanHoldAll() {
    float[] even = new float[100];
    Arrays.fill(even, 0.25f);
    CumulativeGradient straight = CumulativeGradient.of(norms(even, even));
    assertThat(straight.effective()).extracting(EffectiveField::tokens).containsExactly(50, 90, 99);
    assertThat(straight.effective(0.9).low()).isEqualTo(90);
    float[] last = new float[100];
    last[99] = 3;
    CumulativeGradient local = CumulativeGradient.of(norms(last, last));
    assertThat(local.effective()).extracting(EffectiveField::tokens).containsOnly(1);
  }

  @Test
  void aLongCurveKeepsASelectionOfPoints() {
    Random random = new Random(SEED);
    float[][] samples = new float[3][5000];
    for (float[] sample : samples) {
      for (int n = 0; n < sample.length; n++) {
        sample[n] = random.nextFloat();
      }
    }
    GradientNorms norms = norms(samples);
    CumulativeGradient curve = CumulativeGradient.of(norms);
    assertThat(curve.length()).isEqualTo(5000);
    assertThat(curve.points()).hasSizeBetween(200, CumulativeGradient.MAX_POINTS);
    for (Point point : curve.points()) {
      double mean =
          IntStream.range(0, 3)
              .mapToDouble(chunk -> norms.cumulative(chunk)[point.tokens() - 1])
              .average()
              .orElseThrow();
      assertThat(point.share()).as("seed %d", SEED).isCloseTo(mean, within(1e-12));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 10, 25, 500})
  void tenthsAreTheMeanSharesOfTheirPositions(int length) {
    GradientNorms norms = Samples.decays(length, 3, 30, 300);
    List<Double> tenths = CumulativeGradient.of(norms).tenths();
    double[] expected = new double[10];
    for (int sample = 0; sample < norms.count(); sample++) {
      double sum = 0;
      for (int n = 0; n < length; n++) {
        sum += norms.norm(sample, n);
      }
      for (int tenth = 0; tenth < 10; tenth++) {
        for (int n = tenth * length / 10; n < (tenth + 1) * length / 10; n++) {
          expected[tenth] += norms.norm(sample, n) / sum / norms.count();
        }
      }
    }
    assertThat(tenths).hasSize(10);
    for (int tenth = 0; tenth < 10; tenth++) {
      assertThat(tenths.get(tenth)).isCloseTo(expected[tenth], within(1e-12));
    }
  }

  @Test
  void aLineWithoutTenthsIsRejected(@TempDir Path folder) throws Exception {
    ResultFile.RECEPTIVE_FIELDS.write(
        folder, List.of(Samples.receptiveField("alibi", 1, 96, 20, 80)));
    Path file = folder.resolve(ResultFile.RECEPTIVE_FIELDS.name());
    String line = Files.readString(file);
    assertThat(line).contains("\"tenths\":[").doesNotContain("\"task\"");
    Files.writeString(file, line.replaceAll(",\"tenths\":\\[[^]]*]", ""));
    assertThatThrownBy(() -> ResultFile.RECEPTIVE_FIELDS.read(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("tenths");
  }

  @Test
  void rejectsInvalidCurves() {
    CumulativeGradient curve = CumulativeGradient.of(Samples.decays(8, 2, 3));
    List<Point> cut = curve.points().subList(0, 7);
    assertThatThrownBy(() -> new CumulativeGradient(cut, curve.effective(), curve.tenths()))
        .hasMessageContaining("1 at the last");
    List<Point> falling = List.of(new Point(1, 0.5, 0, 1), new Point(2, 0.4, 0, 1));
    assertThatThrownBy(() -> new CumulativeGradient(falling, curve.effective(), curve.tenths()))
        .hasMessageContaining("never fall");
    assertThatThrownBy(
            () ->
                new CumulativeGradient(
                    curve.points(), curve.effective().subList(0, 2), curve.tenths()))
        .hasMessageContaining("effective");
    assertThatThrownBy(
            () ->
                new CumulativeGradient(
                    curve.points(), curve.effective(), curve.tenths().subList(0, 9)))
        .hasMessageContaining("10 shares");
  }

  @Test
  void rejectsInvalidGradients() {
    assertThatThrownBy(() -> norms(new float[] {1})).hasMessageContaining("at least two");
    assertThatThrownBy(() -> norms(new float[] {1, 2}, new float[] {0, 0}))
        .hasMessageContaining("target 1", "a gradient somewhere");
    assertThatThrownBy(() -> norms(new float[] {1, 2}, new float[] {1, Float.NaN}))
        .hasMessageContaining("finite");
  }

  @Test
  void rejectsAFieldBeyondTheTheoreticalOne() {
    GradientNorms norms = Samples.decays(64, 20, 20);
    assertThatThrownBy(
            () ->
                ReceptiveFieldResult.of(
                    Samples.checkpoint("alibi", 1),
                    Optional.empty(),
                    Samples.DATA,
                    9,
                    Optional.empty(),
                    norms,
                    norms))
        .hasMessageContaining("theoretical 9 tokens");
  }

  @Test
  void aFileRoundTripKeepsTheResult(@TempDir Path folder) throws Exception {
    List<ReceptiveFieldResult> results =
        List.of(
            Samples.receptiveField("alibi", 1, 96, 20, 80),
            Samples.receptiveField("alibi", 1, 1000, 20, 80));
    ResultFile.RECEPTIVE_FIELDS.write(folder, results);
    assertThat(ResultFile.RECEPTIVE_FIELDS.read(folder))
        .extracting(Located::value)
        .isEqualTo(results);
  }

  @Test
  void anErrorNamesTheLine(@TempDir Path folder) throws Exception {
    ResultFile.RECEPTIVE_FIELDS.write(
        folder, List.of(Samples.receptiveField("alibi", 1, 96, 20, 80)));
    Path file = folder.resolve(ResultFile.RECEPTIVE_FIELDS.name());
    Files.writeString(file, Files.readString(file).replace("\"length\"", "\"lenght\""));
    assertThatThrownBy(() -> ResultFile.RECEPTIVE_FIELDS.read(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("receptive-fields.jsonl:1")
        .hasMessageContaining("length");
  }
}
