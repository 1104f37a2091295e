package org.lengthwise.positional.attention;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Cope;
import org.lengthwise.positional.Dape;
import org.lengthwise.positional.ForgetGate;
import org.lengthwise.positional.FormulaParameter;
import org.lengthwise.positional.Formulas;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionSample;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Randomized;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RowScheme;
import org.lengthwise.positional.RowVectors;
import org.lengthwise.positional.Sandwich;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;
import org.lengthwise.positional.StickBreaking;
import org.lengthwise.positional.T5;
import org.lengthwise.positional.TransformerXl;

/** Weights by rows on tensors: given vectors, identities, sizes of blocks, long sequences. */
class RowAttentionIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static final StickBreaking STICKS = new StickBreaking(StickBreaking.Remainder.SELF);
  private static final ForgetGate GATES = new ForgetGate(ForgetGate.First.ZERO, new NoPosition());
  private static AttentionKernels kernels;
  private static NDManager manager;

  @BeforeAll
  static void open() {
    kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
    manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
  }

  @AfterAll
  static void close() {
    manager.close();
    kernels.close();
  }

  /**
   * A sequence under a scheme.
   *
   * @param tensors the learnable numbers by name
   * @param rows_1Tg queries, keys, values and what positions carry
   * @param sample the positions or distances that stand for 0..T-1
   */
  private record Case(
      PositionalScheme scheme,
      int heads,
      int headWidth,
      Map<String, NDArray> tensors,
      NDArray rows_1Tg,
      Optional<PositionSample> sample) {

    Case(
        PositionalScheme scheme,
        int heads,
        int headWidth,
        Map<String, NDArray> tensors,
        NDArray rows_1Tg) {
      this(scheme, heads, headWidth, tensors, rows_1Tg, Optional.empty());
    }

    /** The same case, whose positions or distances are the first numbers of a sample. */
    Case at(PositionSample numbers) {
      int[] first = Arrays.copyOf(numbers.numbers(), length());
      PositionSample own = new PositionSample(numbers.range(), first);
      return new Case(scheme, heads, headWidth, tensors, rows_1Tg, Optional.of(own));
    }

    /** Random rows; learnable numbers between 0 and 1. */
    static Case random(PositionalScheme scheme, int length) {
      int heads = 2;
      int headWidth = 8;
      Random random = new Random(SEED);
      Map<String, NDArray> tensors = new LinkedHashMap<>();
      for (PositionalParameter parameter : scheme.parameters(heads, heads * headWidth)) {
        long[] shape = parameter.shape().stream().mapToLong(Integer::longValue).toArray();
        tensors.put(
            parameter.name(), tensor(random.doubles(parameter.size()).toArray(), new Shape(shape)));
      }
      int width = 3 * heads * headWidth + scheme.cost(heads).numCarried();
      double[] rows = random.doubles((long) length * width, -1, 1).toArray();
      return new Case(scheme, heads, headWidth, tensors, tensor(rows, new Shape(1, length, width)));
    }

    Case with(String name, double value) {
      Map<String, NDArray> changed = new LinkedHashMap<>(tensors);
      changed.put(name, requireNonNull(tensors.get(name)).zerosLike().add(value));
      return new Case(scheme, heads, headWidth, changed, rows_1Tg);
    }

    /** The same queries, keys and values without what positions carry. */
    Case under(PositionalScheme other) {
      NDArray qkv = rows_1Tg.get(new NDIndex(":, :, :{}", 3 * heads * headWidth)).duplicate();
      return new Case(other, heads, headWidth, tensors, qkv);
    }

    /** The same rows with these numbers in some columns. */
    Case withColumns(int first, double... numbers) {
      NDArray rows = rows_1Tg.duplicate();
      for (int i = 0; i < numbers.length; i++) {
        rows.set(new NDIndex(":, :, {}", first + i), numbers[i]);
      }
      return new Case(scheme, heads, headWidth, tensors, rows);
    }

    int length() {
      return (int) rows_1Tg.getShape().get(1);
    }

    Attention.Pass pass() {
      return new Attention.Pass(heads, headWidth, length(), true, 0, sample, Optional.empty());
    }

    NDArray learned(String name, int block) {
      return requireNonNull(tensors.get(name));
    }

    float[] attend() {
      return Attention.begin(scheme, kernels, this::learned, pass(), manager)
          .attend(rows_1Tg, 0, 0)
          .toFloatArray();
    }

    float[] attendPlainly() {
      return scheme
          .accept(new PlainAttention(kernels, this::learned, pass(), manager))
          .attend(rows_1Tg, 0, 0)
          .toFloatArray();
    }
  }

  private static NDArray tensor(double[] values, Shape shape) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return manager.create(floats, shape);
  }

  static Stream<RowVectors.Vector> vectors() {
    return RowVectors.all().stream();
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void tensorsEqualTheResultsOfAnotherProgram(RowVectors.Vector vector) {
    int heads = RowVectors.HEADS;
    int width = RowVectors.HEAD_WIDTH;
    double[][] carried_TE = RowVectors.carried(vector.scheme());
    int size = 3 * heads * width + carried_TE[0].length;
    double[] rows = new double[RowVectors.LENGTH * size];
    List<double[][][]> parts =
        List.of(RowVectors.queries(), RowVectors.keys(), RowVectors.values());
    for (int t = 0; t < RowVectors.LENGTH; t++) {
      for (int part = 0; part < 3; part++) {
        for (int h = 0; h < heads; h++) {
          int start = t * size + (part * heads + h) * width;
          System.arraycopy(parts.get(part)[h][t], 0, rows, start, width);
        }
      }
      System.arraycopy(carried_TE[t], 0, rows, t * size + 3 * heads * width, carried_TE[t].length);
    }
    Map<String, NDArray> tensors = new LinkedHashMap<>();
    for (PositionalParameter parameter : vector.scheme().parameters(heads, 8)) {
      long[] shape = parameter.shape().stream().mapToLong(Integer::longValue).toArray();
      double[] values = requireNonNull(vector.tensors().get(parameter.name()));
      tensors.put(parameter.name(), tensor(values, new Shape(shape)));
    }
    NDArray rows_1Tg = tensor(rows, new Shape(1, RowVectors.LENGTH, size));
    Case example = new Case(vector.scheme(), heads, width, tensors, rows_1Tg, vector.sample());
    for (float[] out : List.of(example.attend(), example.attendPlainly())) {
      int last = 5 * heads * width;
      int other = 3 * heads * width + width;
      float[] found = Arrays.copyOf(Arrays.copyOfRange(out, last, last + width), 2 * width);
      System.arraycopy(out, other, found, width, width);
      for (int i = 0; i < found.length; i++) {
        assertThat((double) found[i]).isCloseTo(vector.expected()[i], within(1e-5));
      }
    }
  }

  private static void requireEqual(float[] found, float[] expected) {
    assertArrayEquals(expected, found, 1e-6f, "seed " + SEED);
  }

  @Test
  void copeWithoutATableOrWithOneRowIsNoPosition() {
    Case empty = Case.random(new Cope(5, Cope.Scale.ONE), 300).with("cope", 0);
    requireEqual(empty.attend(), empty.under(new NoPosition()).attend());
    Case single = Case.random(new Cope(1, Cope.Scale.ONE), 300);
    requireEqual(single.attend(), single.under(new NoPosition()).attend());
  }

  @Test
  void gatesOfTheSlopesAreAlibiAndOpenGatesAreNoPosition() {
    Case gates = Case.random(GATES, 300);
    double[] slopes =
        Arrays.stream(Alibi.slopes(2)).map(slope -> -Math.log(Math.expm1(slope))).toArray();
    requireEqual(gates.withColumns(48, slopes).attend(), gates.under(new Alibi()).attend());
    requireEqual(gates.withColumns(48, 40, 40).attend(), gates.under(new NoPosition()).attend());
  }

  @ParameterizedTest
  @EnumSource
  void windowsAndChunksOfAllPositionsAreDense(Within within) {
    PositionalScheme dense =
        switch (within) {
          case ALIBI -> new Alibi();
          case ROPE -> new Rope(10_000);
          case NONE -> new NoPosition();
        };
    Case all = Case.random(dense, 300);
    requireEqual(all.under(new SlidingWindow(300, within)).attend(), all.attend());
    requireEqual(all.under(new SlidingWindow(null, 300, within, null)).attend(), all.attend());
  }

  @Test
  void aListOfOneSchemeIsThatScheme() {
    for (PositionalScheme scheme : List.of(GATES, new KerpleLog(), new Rope(100))) {
      Case one = Case.random(scheme, 300);
      Layers list = new Layers(List.of(scheme));
      Case listed = new Case(list, one.heads(), one.headWidth(), one.tensors(), one.rows_1Tg());
      assertThat(listed.attend()).isEqualTo(one.attend());
      assertThat(listed.attendPlainly()).isEqualTo(one.attendPlainly());
    }
  }

  static Stream<PositionalScheme> randomized() {
    return Stream.of(
        new Rope(10_000),
        new Alibi(),
        new KerpleLog(),
        new T5(T5.Scale.ONE),
        new Sandwich(8),
        new TransformerXl(),
        Formulas.of("-p * delta", Map.of("p", Formulas.number(FormulaParameter.Per.HEAD))),
        Formulas.of("-sqrt(delta) * h", Map.of()));
  }

  @ParameterizedTest
  @MethodSource("randomized")
  void aSampleOfAllFirstNumbersIsTheInnerScheme(PositionalScheme inner) {
    Case plain = Case.random(inner, 300);
    int[] numbers = IntStream.range(0, 300).toArray();
    Case sampled = plain.at(new PositionSample(1000, numbers));
    requireEqual(sampled.attend(), plain.attend());
    requireEqual(sampled.attendPlainly(), plain.attend());
  }

  @ParameterizedTest
  @MethodSource("randomized")
  void aTextReadOnWithItsSampleKeepsItsResults(PositionalScheme inner) {
    PositionSample sample = new Randomized(1000, inner).sample(SEED, 300).orElseThrow();
    Case whole = Case.random(inner, 300).at(sample);
    float[] expected = Arrays.copyOf(whole.attend(), 100 * 16);
    Case prefix =
        new Case(
            whole.scheme(),
            2,
            8,
            whole.tensors(),
            whole.rows_1Tg().get(new NDIndex(":, :100")).duplicate());
    requireEqual(prefix.at(sample).attend(), expected);
    assertThat(prefix.attend()).isNotEqualTo(expected);
  }

  @Test
  void rotationsDependOnDifferencesOfSampledPositions() {
    Case near = Case.random(new Rope(100), 300).at(sample(0));
    float[] far = near.at(sample(100)).attend();
    assertArrayEquals(near.attend(), far, 1e-5f, "seed " + SEED);
  }

  private static PositionSample sample(int first) {
    return new PositionSample(1000, IntStream.range(0, 300).map(i -> first + 2 * i).toArray());
  }

  @Test
  void dapeWhoseNetworkIsZeroIsItsInnerScheme() {
    Case adapted =
        Case.random(new Dape(32, new KerpleLog()), 300)
            .with("dape.c_proj.weight", 0)
            .with("dape.c_proj.bias", 0);
    requireEqual(adapted.attend(), adapted.under(new KerpleLog()).attend());
  }

  @Test
  void dapeOverAFormulaIsDapeOverTheSchemeThatItDescribes() {
    Case overAlibi = Case.random(new Dape(4, new Alibi()), 300);
    Dape overFormula = new Dape(4, Formulas.of("-delta / 2 ^ (8 * h / H)", Map.of()));
    requireEqual(overAlibi.under(overFormula).attend(), overAlibi.attend());
  }

  @Test
  void sharesAreProductsOfWhatNewerKeysLeft() {
    Case sticks = Case.random(STICKS, 300);
    float[] rows = sticks.rows_1Tg().toFloatArray();
    double[] expected = new double[8];
    double left = 1;
    for (int n = 298; n >= 0; n--) {
      double score = 0;
      for (int i = 0; i < 8; i++) {
        score += rows[299 * 48 + i] * rows[n * 48 + 16 + i] / Math.sqrt(8);
      }
      double share = 1 / (1 + Math.exp(-score));
      for (int i = 0; i < 8; i++) {
        expected[i] += left * share * rows[n * 48 + 32 + i];
      }
      left *= 1 - share;
    }
    float[] found = sticks.attend();
    for (int i = 0; i < 8; i++) {
      assertThat((double) found[299 * 16 + i])
          .isCloseTo(expected[i] + left * rows[299 * 48 + 32 + i], within(1e-6));
    }
  }

  @Test
  void sharesAndRemainderSumToOneAndStayFiniteAtLargeScores() {
    double[] ones = new double[16];
    Arrays.fill(ones, 1);
    Case sticks = Case.random(STICKS, 300).withColumns(32, ones);
    for (float weight : sticks.attend()) {
      assertThat(weight).isCloseTo(1, within(1e-6f));
    }
    // Queries of 60 sqrt(8) in one number, whose keys are 1 and -1 in turn: scores of 60 and -60.
    Case large = sticks.withColumns(0, new double[16]);
    large.rows_1Tg().set(new NDIndex(":, :, 0"), 60 * Math.sqrt(8));
    large.rows_1Tg().set(new NDIndex(":, ::2, 16"), 1);
    large.rows_1Tg().set(new NDIndex(":, 1::2, 16"), -1);
    for (float weight : large.attend()) {
      assertThat(weight).isCloseTo(1, within(1e-5f));
    }
  }

  @Test
  void keysThatWouldShareNothingMayBeSkipped() {
    for (StickBreaking.Remainder remainder : StickBreaking.Remainder.values()) {
      Case sticks = Case.random(new StickBreaking(remainder), 1_000);
      requireEqual(sticks.attend(), sticks.attendPlainly());
    }
    // Shares of e^-20 leave something for the oldest of 1,000 keys.
    Case closed = Case.random(STICKS, 1_000).withColumns(0, new double[16]);
    closed.rows_1Tg().set(new NDIndex(":, :, 0"), -10 * Math.sqrt(8));
    closed.rows_1Tg().set(new NDIndex(":, :, 16"), 1);
    assertArrayEquals(closed.attendPlainly(), closed.attend(), 1e-5f);
  }

  static Stream<RowScheme> schemes() {
    return Stream.of(new Cope(20, Cope.Scale.ONE), GATES, STICKS, new Dape(8, new KerpleLog()));
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void theNumberOfQueriesInABlockChangesNothing(RowScheme scheme) {
    Case example = Case.random(scheme, 300);
    float[] expected = example.attendPlainly();
    RowAttention attention =
        RowAttention.of(
            scheme,
            new SchemeAttention.Factory(kernels, example::learned, example.pass(), manager));
    for (int queries : new int[] {1, 7, 64, 256}) {
      assertArrayEquals(
          expected,
          attention.attend(example.rows_1Tg(), 0, queries, "by_rows").toFloatArray(),
          1e-5f,
          "seed %s, %s queries".formatted(SEED, queries));
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void theFirst100Of300TokensHaveTheResultOf100Tokens(RowScheme scheme) {
    Case whole = Case.random(scheme, 300);
    NDArray first = whole.rows_1Tg().get(new NDIndex(":, :100")).duplicate();
    Case prefix = new Case(scheme, whole.heads(), whole.headWidth(), whole.tensors(), first);
    assertArrayEquals(prefix.attend(), Arrays.copyOf(whole.attend(), 1_600), 2e-6f, "seed " + SEED);
  }

  /** Gates of 1/2: the bias of a key is ln 2 times its distance, up to 5,678. */
  @Test
  void gatesStayExactInLongSequences() {
    int length = 8_192;
    Case gates = Case.random(GATES, length).withColumns(48, 0, 0);
    float[] rows = gates.rows_1Tg().toFloatArray();
    float[] found = gates.attend();
    for (int m : new int[] {0, 1, 127, 128, 4_095, 8_190, 8_191}) {
      double[] expected = new double[8];
      double sum = 0;
      for (int n = m; n >= 0; n--) {
        double score = -Math.log(2) * (m - n);
        for (int i = 0; i < 8; i++) {
          score += rows[m * 50 + i] * rows[n * 50 + 16 + i] / Math.sqrt(8);
        }
        sum += Math.exp(score);
        for (int i = 0; i < 8; i++) {
          expected[i] += Math.exp(score) * rows[n * 50 + 32 + i];
        }
      }
      for (int i = 0; i < 8; i++) {
        assertThat((double) found[m * 16 + i])
            .as("seed %d, query %d", SEED, m)
            .isCloseTo(expected[i] / sum, within(1e-4));
      }
    }
  }
}
