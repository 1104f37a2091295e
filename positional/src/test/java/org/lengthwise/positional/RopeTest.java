package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.EnumName;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.positional.PositionScaling.Kind;

class RopeTest {
  private static final Rope ROPE = new Rope(10_000);
  private static final Offset<Double> CLOSE = within(1e-12);
  private static final Offset<Double> ROUNDED = within(0.005);
  private static final double[] QUERY = {0.3, -1, 2, 0.7};
  private static final double[] KEY = {1.1, 0.4, -0.2, 0.9};

  private static double score(PositionalScheme scheme, long query, long key, long length) {
    double[] q = scheme.rotate(QUERY, query, length);
    double[] k = scheme.rotate(KEY, key, length);
    return q[0] * k[0] + q[1] * k[1] + q[2] * k[2] + q[3] * k[3];
  }

  private static double[] slowing(Kind scaling, long length) {
    return slowing(new ScaledRope(ROPE, new PositionScaling(scaling), 512), 64, length);
  }

  /** The frequency of each pair divided by its frequency without scaling. */
  private static double[] slowing(ScaledRope rope, int headWidth, long length) {
    double[] plain = rope.rope().frequencies(headWidth, length);
    double[] scaled = rope.frequencies(headWidth, length);
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] /= plain[i];
    }
    return scaled;
  }

  @Test
  void scoresDependOnTheDistanceAlone() {
    assertThat(score(ROPE, 117, 100, 128)).isEqualTo(score(ROPE, 17, 0, 128), CLOSE);
    assertThat(score(ROPE, 117, 101, 128)).isNotCloseTo(score(ROPE, 117, 100, 128), within(1e-3));
  }

  @Test
  void pairsAreTheHalvesOfAHeadAndTheFirstRotatesByOneRadian() {
    double[] rotated = ROPE.rotate(new double[] {1, 1, 0, 0}, 1, 8);
    assertThat(rotated)
        .containsExactly(
            new double[] {Math.cos(1), Math.cos(0.01), Math.sin(1), Math.sin(0.01)}, CLOSE);
  }

  @ParameterizedTest
  @EnumSource(names = {"INTERPOLATION", "NTK", "YARN"})
  void resultsAreKeptUntilRotationsDependOnTheLength(Kind scaling) {
    PositionalScheme scaled = ROPE.scaled(new PositionScaling(scaling), 512).orElseThrow();
    assertThat(LongStream.range(1, 2_000).filter(scaled.lengths().keepsResults())).hasSize(511);
    assertThat(scaled.lengths().keepsResults().test(511)).isTrue();
    assertThat(ROPE.lengths().keepsResults().test(512)).isTrue();
  }

  @ParameterizedTest
  @EnumSource(names = {"INTERPOLATION", "NTK", "YARN"})
  void nothingIsScaledUpToTheTrainingLength(Kind scaling) {
    PositionalScheme scaled = ROPE.scaled(new PositionScaling(scaling), 512).orElseThrow();
    assertThat(scaled.rotate(QUERY, 500, 512)).containsExactly(ROPE.rotate(QUERY, 500, 512), CLOSE);
    assertThat(scaled.rotate(QUERY, 500, 513)).isNotEqualTo(ROPE.rotate(QUERY, 500, 513));
    assertThat(scaled.label()).isEqualTo("rope-" + EnumName.of(scaling));
  }

  /** Scalings of a model that was trained at 512 positions, and what takes their place at 1,024. */
  static Stream<Arguments> ownScalings() {
    return Stream.of(
        Arguments.of(new RopeScaling.Yarn(4, 128), Kind.YARN, new RopeScaling.Yarn(8, 128)),
        Arguments.of(new RopeScaling.Linear(4), Kind.INTERPOLATION, new RopeScaling.Linear(8)),
        Arguments.of(new RopeScaling.Ntk(4), Kind.YARN, new RopeScaling.Yarn(8, 128)),
        Arguments.of(new RopeScaling.Yarn(4, 512), Kind.NTK, new RopeScaling.Ntk(2)),
        Arguments.of(
            new RopeScaling.Llama3(8, 1, 4, 512), Kind.YARN, new RopeScaling.Yarn(2, 512)));
  }

  @ParameterizedTest
  @MethodSource("ownScalings")
  void anOwnScalingHoldsUpToTheTrainingLengthAndIsExtendedBeyond(
      RopeScaling own, Kind kind, RopeScaling expected) {
    Rope rope = new Rope(10_000, 1, own, null);
    Rotary scaled = (Rotary) rope.scaled(new PositionScaling(kind), 512).orElseThrow();
    Rope extended = new Rope(10_000, 1, expected, null);
    for (long length : new long[] {1, 512}) {
      assertThat(scaled.frequencies(64, length)).isEqualTo(rope.frequencies(64, length));
      assertThat(scaled.stretch(length)).isEqualTo(rope.stretch(length));
    }
    assertThat(scaled.frequencies(64, 1024)).isEqualTo(extended.frequencies(64, 1024));
    assertThat(scaled.stretch(1024)).isEqualTo(extended.stretch(1024));
  }

  /** At any length the rotations are those of a model that states the scaling. */
  @ParameterizedTest
  @CsvSource({
    "linear:4, 4, 4",
    "interpolation:1.5, 1.5, 1.5",
    "ntk:4, 1, 4",
    "yarn:4, 1, 4",
    "dynamic:4, 1, 29"
  })
  void aFixedFactorHoldsAtEveryLength(String text, double fastest, double slowest) {
    PositionalScheme scaled = ROPE.scaled(PositionScaling.of(text), 512).orElseThrow();
    assertThat(scaled).isInstanceOf(Rope.class);
    double[] plain = ROPE.frequencies(64, 4096);
    double[] found = ((Rope) scaled).frequencies(64, 4096);
    assertThat(plain[0] / found[0]).isEqualTo(fastest, CLOSE);
    assertThat(plain[31] / found[31]).isEqualTo(slowest, within(1e-9));
    assertThat(scaled.lengths().countsLastToken()).isEqualTo(text.startsWith("dynamic"));
    double[] shorter = text.startsWith("dynamic") ? plain : found;
    assertThat(((Rope) scaled).frequencies(64, 8)).isEqualTo(shorter);
    assertThat(((Rope) scaled).stretch(8))
        .isEqualTo(text.startsWith("yarn") ? 0.1 * Math.log(4) + 1 : 1);
  }

  @ParameterizedTest
  @CsvSource({
    "yarm, 'one of none, interpolation, ntk, yarn, dynamic, linear'",
    "yarn:, such as yarn:4",
    "yarn:x, such as yarn:4",
    "yarn:0, a factor of at least 1",
    "yarn:0.5, a factor of at least 1",
    "none:2, none without a factor",
    "dynamic, as in dynamic:4"
  })
  void otherNamesAndFactorsAreRejected(String text, String expected) {
    assertThatThrownBy(() -> PositionScaling.of(text))
        .isInstanceOf(InvalidValueException.class)
        .hasMessageContaining(expected);
  }

  @Test
  void theTextOfAScalingAndTheEndOfItsName() {
    assertThat(PositionScaling.of("linear:2.50").text()).isEqualTo("interpolation:2.5");
    assertThat(PositionScaling.of("yarn:4").label()).isEqualTo("yarn-4");
    assertThat(PositionScaling.of("ntk")).isEqualTo(new PositionScaling(Kind.NTK));
  }

  @Test
  void interpolationCompressesAllPositionsIntoTheTrainingLength() {
    PositionalScheme scaled =
        ROPE.scaled(new PositionScaling(Kind.INTERPOLATION), 512).orElseThrow();
    assertThat(scaled.rotate(QUERY, 4000, 4096)).containsExactly(ROPE.rotate(QUERY, 500, 1), CLOSE);
  }

  @Test
  void ntkKeepsTheFastestPairAndInterpolatesTheSlowest() {
    double[] slowing = slowing(Kind.NTK, 4096);
    assertThat(slowing[0]).isEqualTo(1);
    assertThat(slowing[31]).isEqualTo(1.0 / 8, CLOSE);
    assertThat(slowing[15]).isEqualTo(Math.pow(8, -30.0 / 62), CLOSE);
    assertThat(
            ROPE.scaled(new PositionScaling(Kind.NTK), 8)
                .orElseThrow()
                .rotate(new double[] {1, 0}, 3, 64))
        .containsExactly(new double[] {Math.cos(3), Math.sin(3)}, CLOSE);
  }

  /** The numbers are those of the code that YaRN's authors released. */
  @Test
  void yarnScalesPairsAsTheReleasedCodeDoes() {
    double[] wide = slowing(Kind.YARN, 16 * 512);
    assertThat(wide[0]).isEqualTo(1);
    assertThat(wide[3]).isEqualTo(1);
    assertThat(Arrays.copyOfRange(wide, 4, 11))
        .containsExactly(new double[] {0.93, 0.86, 0.78, 0.71, 0.64, 0.57, 0.50}, ROUNDED);
    assertThat(wide[31]).isEqualTo(1.0 / 16, CLOSE);
    ScaledRope narrow = new ScaledRope(ROPE, new PositionScaling(Kind.YARN), 128);
    assertThat(Arrays.copyOf(slowing(narrow, 32, 16 * 128), 4))
        .as("a head of width 32, trained at 128")
        .containsExactly(new double[] {1, 0.84, 0.69, 0.53}, ROUNDED);
  }

  @Test
  void yarnKeepsTheFastestPairAndInterpolatesAllOthersIfItsBoundsAreOnePair() {
    for (int trainLength : new int[] {2, 6}) { // no pair rotates once
      ScaledRope rope = new ScaledRope(ROPE, new PositionScaling(Kind.YARN), trainLength);
      assertThat(slowing(rope, 8, 8L * trainLength))
          .containsExactly(new double[] {1, 0.125, 0.125, 0.125}, CLOSE);
    }
  }

  @Test
  void yarnMultipliesScoresByTheSquareOfItsFactor() {
    Rotary yarn = new ScaledRope(ROPE, new PositionScaling(Kind.YARN), 512);
    assertThat(yarn.stretch(4096)).isEqualTo(0.1 * Math.log(8) + 1, CLOSE);
    assertThat(score(yarn, 9, 9, 4096))
        .isEqualTo(score(ROPE, 0, 0, 1) * Math.pow(yarn.stretch(4096), 2), CLOSE);
  }

  @Test
  void schemesWithoutRotationsCannotBeScaled() {
    assertThat(new Alibi().scaled(new PositionScaling(Kind.NTK), 512)).isEmpty();
  }

  @Test
  void aShareRotatesTheFirstNumbersOfAHead() {
    Rope quarter = new Rope(100, 0.25, RopeScaling.none(), null);
    assertThat(quarter.frequencies(16, 8)).containsExactly(new double[] {1, 0.1}, CLOSE);
    double[] vector = {0.3, -1, 2, 0.7, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
    double[] expected = vector.clone();
    System.arraycopy(new Rope(100).rotate(QUERY, 3, 8), 0, expected, 0, 4);
    assertThat(quarter.rotate(vector, 3, 8)).containsExactly(expected, CLOSE);
  }

  @Test
  void sharesThatDoNotMakePairsAreRejected() {
    new Rope(100, 0.3, RopeScaling.none(), null).requireShape(2, 20, 40); // 6 of 20 numbers
    new Rope(100, 1 / 3.0, RopeScaling.none(), null).requireShape(1, 48, 48);
    for (double share : new double[] {0.05, 0.15, 0.32}) {
      assertThatThrownBy(
              () -> new Rope(100, share, RopeScaling.none(), null).requireShape(2, 20, 40))
          .hasMessageContaining("position.share: expected a share that makes an even number")
          .hasMessageContaining("found " + share);
    }
    for (double share : new double[] {0, -1, 1.01, Double.NaN}) {
      assertThatThrownBy(() -> new Rope(100, share, RopeScaling.none(), null))
          .hasMessageContaining("share: expected a number above 0 and at most 1");
    }
  }

  @Test
  void aWindowHidesEarlierKeysInItsBlocks() {
    Rope rope = new Rope(100, 1, RopeScaling.none(), new LayerWindow(4, 1));
    assertThat(rope.bias(block(0), 0, 0, 9, 9)).isZero();
    assertThat(rope.bias(block(1), 0, 0, 9, 3)).isZero();
    assertThat(rope.bias(block(1), 0, 0, 9, 4)).isEqualTo(Double.NEGATIVE_INFINITY);
    assertThat(rope.reach().seesAllKeys()).as("block 0 sees all").isTrue();
    assertThat(rope.reach().receptiveField(3, 99)).isEqualTo(99);
    assertThat(rope.reach().hasLaterKeys()).isFalse();
    Rope everywhere = new Rope(100, 1, RopeScaling.none(), new LayerWindow(4, 0));
    assertThat(everywhere.reach().seesAllKeys()).isFalse();
    assertThat(everywhere.reach().receptiveField(3, 99)).isEqualTo(10);
    assertThat(everywhere.reach().receptiveField(3, 9)).isEqualTo(9);
    assertThat(everywhere.reach().receptiveField(Integer.MAX_VALUE, Long.MAX_VALUE))
        .isEqualTo(3L * Integer.MAX_VALUE + 1);
  }

  private static PositionalValues block(int block) {
    return new PositionalValues(4, 4, block, 100, Map.of());
  }

  @Test
  void aScalingAtTestTimeTakesThePlaceOfTheModelsScalingAndKeepsTheRest() {
    LayerWindow window = new LayerWindow(40, 0);
    Rope own = new Rope(100, 0.5, new RopeScaling.Yarn(4, 32), window);
    Rope bare = new Rope(100, 0.5, RopeScaling.none(), window);
    assertThat(PositionChange.NONE.of(own, 32)).isEqualTo(own);
    for (String text : List.of("linear", "ntk", "yarn", "dynamic:4")) {
      PositionScaling scaling = PositionScaling.of(text);
      Rotary scaled = (Rotary) own.scaled(scaling, 32).orElseThrow();
      assertThat(scaled.frequencies(16, 320))
          .isEqualTo(((Rotary) bare.scaled(scaling, 32).orElseThrow()).frequencies(16, 320))
          .as("R takes the place of D")
          .isEqualTo(
              ((Rotary) new Rope(100).scaled(scaling, 32).orElseThrow()).frequencies(8, 320));
      assertThat(scaled.stretch(32)).isEqualTo(text.startsWith("dynamic") ? 1 : own.stretch(32));
      assertThat(scaled.layerWindow()).contains(window);
      assertThat(scaled.reach().receptiveField(1, 99)).isEqualTo(40);
    }
  }

  /** As in a public model whose window begins in a later layer. */
  @ParameterizedTest
  @ValueSource(strings = {"linear", "ntk", "yarn", "yarn:4", "dynamic:4"})
  void blocksWithAWindowWithinTheTrainingLengthKeepTheModelsScaling(String text) {
    PositionScaling scaling = PositionScaling.of(text);
    Rope own = new Rope(100, 1, new RopeScaling.Linear(2), new LayerWindow(32, 1));
    int original = text.contains(":") ? 32 : 16;
    PositionalScheme bare = new Rope(100).scaled(scaling, original).orElseThrow();
    PositionalScheme scaled = own.scaled(scaling, 32).orElseThrow();
    assertThat(scaled.inBlock(1)).isEqualTo(own);
    assertThat(scaled.inBlock(0).rotate(QUERY, 90, 99)).isEqualTo(bare.rotate(QUERY, 90, 99));
    assertThat(scaled.lengths().keepsResults().test(99))
        .isEqualTo(bare.lengths().keepsResults().test(99));
    assertThat(scaled.lengths().countsLastToken()).isEqualTo(text.startsWith("dynamic"));
    Rotary longer = (Rotary) own.scaled(scaling, 31).orElseThrow();
    assertThat(longer.inBlock(1)).isEqualTo(longer);
  }

  private static PositionalScheme read(String... settings) {
    return ConfigLoader.load(Path.of("../conf/position/rope.yaml"), List.of(settings))
        .bind("position", PositionalScheme.class);
  }

  @Test
  void settingsThatAConfigurationLeavesOutAreThoseOfThePlainScheme() {
    assertThat(read()).isEqualTo(ROPE);
    assertThat(
            read(
                "position.share=0.25",
                "position.scaling={type: yarn, factor: 4, original: 32, attention_factor: 1.5}",
                "position.window={positions: 16}"))
        .isEqualTo(
            new Rope(
                10_000,
                0.25,
                new RopeScaling.Yarn(4, 32, 32, 1, 1.5, true),
                new LayerWindow(16, 0)));
    assertThatThrownBy(() -> read("position.scaling={type: yarm, factor: 4}"))
        .hasMessageContaining("dynamic, linear, llama3, longrope, none, ntk, yarn");
  }

  @Test
  void storedSettingsAreReadBackAndOlderOnesLackTheNewKeys() throws IOException {
    ObjectMapper json = ConfigLoader.strictMapper();
    List<Rope> ropes =
        RopeScalingTest.all()
            .map(scaling -> new Rope(10_000, 0.5, scaling, new LayerWindow(16, 2)))
            .toList();
    for (Rope rope : ropes) {
      assertThat(json.readValue(json.writeValueAsString(rope), PositionalScheme.class))
          .isEqualTo(rope);
    }
    assertThat(json.readValue("{\"scheme\":\"rope\",\"base\":1e4}", PositionalScheme.class))
        .isEqualTo(ROPE);
    assertThat(json.readValue(json.writeValueAsString(ROPE), PositionalScheme.class))
        .isEqualTo(ROPE);
    assertThat(json.writeValueAsString(ROPE))
        .isEqualTo(
            "{\"scheme\":\"rope\",\"base\":10000.0,\"share\":1.0,"
                + "\"scaling\":{\"type\":\"none\"},\"window\":null}");
  }
}
