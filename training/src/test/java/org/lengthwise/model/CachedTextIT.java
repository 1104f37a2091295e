package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.Schemes;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;
import org.lengthwise.positional.attention.LayerStates;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.TestDevice;

/** A text that is read piece by piece, against one pass over the same tokens. */
class CachedTextIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static final int NUM_TOKENS = 60;
  private static final int[] TOKENS =
      new Random(SEED).ints(NUM_TOKENS, 0, RandomModel.VOCABULARY).toArray();

  static Stream<PositionalScheme> schemes() {
    return Stream.concat(
        Schemes.all().stream(),
        Stream.of(
            new RegularGpt(2),
            new RegularGpt(5),
            new Rope(100)
                .scaled(new PositionScaling(PositionScaling.Kind.INTERPOLATION), 8)
                .orElseThrow(),
            new Rope(100).scaled(new PositionScaling(PositionScaling.Kind.NTK), 20).orElseThrow()));
  }

  /** A decoder with random weights. */
  private record Opened(Weights weights, Decoder decoder, NDManager manager)
      implements AutoCloseable {

    static Opened of(PositionalScheme scheme, Precision precision) {
      return of(RandomModel.of(scheme, new Random(SEED)), precision);
    }

    static Opened of(RandomModel model, Precision precision) {
      Weights weights = model.weights(TestDevice.current());
      return new Opened(
          weights,
          new Decoder(model.config(), weights, Numerics.of(precision)),
          NDManager.newBaseManager(TestDevice.current(), "PyTorch"));
    }

    /** The logits after the latest token, which is read alone or with others. */
    float[] append(TextState text, int... tokens) {
      try (NDArray x_1d = text.append(tokens);
          NDArray logits_1V = decoder.logits(x_1d)) {
        return logits_1V.toFloatArray();
      }
    }

    /** The same from a pass over all positions. */
    float[] logits(int from, int to) {
      return logits(Arrays.copyOfRange(TOKENS, from, to));
    }

    private float[] logits(int... tokens) {
      try (NDManager pass = manager.newSubManager()) {
        long[] ids = Arrays.stream(tokens).asLongStream().toArray();
        NDArray tokens_BT = pass.create(ids, new Shape(1, ids.length));
        NDArray x_1Td = decoder.hidden(decoder.embed(tokens_BT));
        return decoder.logits(x_1Td.get(":, -1")).toFloatArray();
      }
    }

    @Override
    public void close() {
      manager.close();
      decoder.close();
      weights.close();
    }
  }

  /** An operator of libtorch in a trace: its name and the shapes of its inputs. */
  private static final Pattern OPERATOR =
      Pattern.compile("\"name\": \"aten::(\\w+)\"[^}]*?\"shape\": (\\[.*)");

  private static final Pattern TENSOR = Pattern.compile("\\[(\\d+(?:, \\d+)*)]");

  private static final Set<String> VIEWS =
      Set.of(
          "as_strided",
          "expand",
          "permute",
          "reshape",
          "resolve_conj",
          "select",
          "slice",
          "t",
          "transpose",
          "unbind",
          "unsqueeze",
          "view");

  private static int likeliest(float[] logits) {
    return IntStream.range(0, logits.length)
        .reduce((best, i) -> logits[i] > logits[best] ? i : best)
        .orElseThrow();
  }

  private static void requireSame(float[] found, float[] expected, String where) {
    assertThat(found).as(where).containsExactly(expected, within(TestDevice.tolerance(1e-4)));
    assertThat(likeliest(found)).as(where).isEqualTo(likeliest(expected));
  }

  static Stream<ModelConfig> forms() {
    return DecoderForms.forms();
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void everyLengthUpToTheContextHasTheLogitsOfOnePass(PositionalScheme scheme) {
    requireLogitsOfOnePass(RandomModel.of(scheme, new Random(SEED)));
  }

  @ParameterizedTest
  @MethodSource("forms")
  void everyFormHasTheLogitsOfOnePass(ModelConfig config) {
    requireLogitsOfOnePass(RandomModel.of(config, new Random(SEED)));
  }

  private static void requireLogitsOfOnePass(RandomModel random) {
    int context = (int) Math.min(NUM_TOKENS, random.config().position().lengths().longest());
    try (Opened model = Opened.of(random, Precision.FLOAT32);
        TextState text = model.decoder().begin(model.manager(), context)) {
      for (int length = 1; length <= context; length++) {
        requireSame(
            model.append(text, TOKENS[length - 1]), model.logits(0, length), "T = " + length);
      }
    }
  }

  /**
   * The first token that is read, for each token beyond the context: full texts are cut so that the
   * next cut comes half a context later.
   */
  @ParameterizedTest
  @MethodSource("schemes")
  void beyondTheContextTheLogitsAreThoseOfTheLatestTokens(PositionalScheme scheme) {
    int context = 12;
    try (Opened model = Opened.of(scheme, Precision.FLOAT32);
        TextState text = model.decoder().begin(model.manager(), context)) {
      for (int end = 1; end <= 31; end++) {
        int cuts = (end - context + 5) / 6; // a cut at 13, 19, 25, ...
        boolean isCut = end > context && !model.decoder().config().hasBoundedState();
        int first = isCut ? 6 * cuts : 0;
        assertThat(end - first).isBetween(Math.min(end, context / 2 + 1), isCut ? context : end);
        requireSame(model.append(text, TOKENS[end - 1]), model.logits(first, end), "token " + end);
      }
    }
  }

  @Test
  void aPinnedTokenStaysFirstWhereverTheTextIsCut() {
    int context = 12;
    try (Opened model = Opened.of(new Rope(100), Precision.FLOAT32);
        TextState text = model.decoder().begin(model.manager(), context, 1)) {
      for (int end = 1; end <= 31; end++) {
        int dropped = end <= context ? 0 : 6 * ((end - context + 5) / 6);
        int[] read =
            IntStream.concat(IntStream.of(TOKENS[0]), Arrays.stream(TOKENS, 1 + dropped, end))
                .toArray();
        requireSame(model.append(text, TOKENS[end - 1]), model.logits(read), "token " + end);
      }
      int[] longer = Arrays.copyOfRange(TOKENS, 1, 31);
      int[] read = Arrays.copyOfRange(TOKENS, 19, 31);
      read[0] = TOKENS[0];
      requireSame(model.append(text, longer), model.logits(read), "more than the context");
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void piecesOfAnyLengthAreRead(PositionalScheme scheme) {
    try (Opened model = Opened.of(scheme, Precision.FLOAT32);
        TextState text = model.decoder().begin(model.manager(), 30)) {
      int end = 0;
      for (int length : List.of(7, 1, 1, 12, 1, 3)) {
        int[] piece = Arrays.copyOfRange(TOKENS, end, end + length);
        end += length;
        requireSame(model.append(text, piece), model.logits(0, end), end + " tokens");
      }
      int[] longer = Arrays.copyOfRange(TOKENS, end, end + 33);
      int first = model.decoder().config().hasBoundedState() ? 0 : end + 3;
      requireSame(
          model.append(text, longer), model.logits(first, end + 33), "more than the context");
    }
  }

  static Stream<PositionalScheme> linear() {
    Linear member = new Linear(Linear.Member.GATED_DELTANET, false);
    return Stream.of(member, new Layers(List.of(member, new Alibi())));
  }

  /** A recurrence without keys reads 1,024 tokens of a piece at a time. */
  @ParameterizedTest
  @MethodSource("linear")
  void piecesOfALongTextHaveTheLogitsOfOnePass(PositionalScheme scheme) {
    int[] tokens = new Random(SEED).ints(3_200, 0, RandomModel.VOCABULARY).toArray();
    try (Opened model = Opened.of(scheme, Precision.FLOAT32);
        TextState text = model.decoder().begin(model.manager(), tokens.length)) {
      int end = 0;
      for (int length : List.of(40, 1_024, 1, 2_049, 1, 1, 70)) {
        int[] piece = Arrays.copyOfRange(tokens, end, end + length);
        end += length;
        requireSame(
            model.append(text, piece), model.logits(Arrays.copyOf(tokens, end)), end + " tokens");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("linear")
  void allRowsOfALongPieceAreThoseOfOnePass(PositionalScheme scheme) {
    int[] tokens = new Random(SEED).ints(2_100, 0, RandomModel.VOCABULARY).toArray();
    try (Opened model = Opened.of(scheme, Precision.FLOAT32);
        TextState text = model.decoder().begin(model.manager(), tokens.length)) {
      NDArray x_nd = text.appendAll(tokens);
      assertThat(x_nd.getShape().get(0)).isEqualTo(tokens.length);
      for (int end : new int[] {1, 1_024, 1_025, 2_100}) {
        float[] row =
            model.decoder().logits(x_nd.get(new NDIndex("{}:{}", end - 1, end))).toFloatArray();
        requireSame(row, model.logits(Arrays.copyOf(tokens, end)), end + " tokens");
      }
    }
  }

  @ParameterizedTest
  @MethodSource("linear")
  void statesDoNotGrowWithTheText(PositionalScheme scheme) {
    try (Opened model = Opened.of(scheme, Precision.FLOAT32)) {
      assertThat(stateShapes(model, 1_100)).isNotEmpty().isEqualTo(stateShapes(model, 5));
    }
  }

  private static List<Shape> stateShapes(Opened model, int length) {
    try (NDManager pass = model.manager().newSubManager();
        LayerStates states = new LayerStates(pass)) {
      NDArray tokens_1T = pass.zeros(new Shape(1, length), DataType.INT64);
      model.decoder().layers().withStates(states).run(model.decoder().embed(tokens_1T));
      return states.tensors().values().stream().map(NDArray::getShape).toList();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 1", "2, 2", "3, 3", "4, 3", "5, 4"})
  void aSmallContextIsReadInFullOrCutToMoreThanHalf(int context, int leastKept) {
    try (Opened model = Opened.of(new NoPosition(), Precision.FLOAT32);
        TextState text = model.decoder().begin(model.manager(), context)) {
      for (int end = 1; end <= context; end++) {
        model.append(text, TOKENS[end - 1]);
      }
      requireSame(
          model.append(text, TOKENS[context]),
          model.logits(context + 1 - leastKept, context + 1),
          "after the cut");
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void bfloat16IsCloseToOnePass(PositionalScheme scheme) {
    try (Opened model = Opened.of(scheme, Precision.BFLOAT16);
        TextState text = model.decoder().begin(model.manager(), 13)) {
      for (int length = 1; length <= 12; length++) {
        assertThat(model.append(text, TOKENS[length - 1]))
            .as("T = %d", length)
            .containsExactly(model.logits(0, length), within(0.2f));
      }
    }
  }

  @Test
  void aClosedTextLeavesNoTensors() {
    try (Opened model = Opened.of(new Alibi(), Precision.FLOAT32)) {
      int before = model.manager().getManagedArrays().size();
      try (TextState text = model.decoder().begin(model.manager(), 9)) {
        for (int token : TOKENS) {
          model.append(text, token);
          int layers = model.decoder().config().executedLayers(9);
          assertThat(model.manager().getManagedArrays().size() - before).isBetween(0, layers);
        }
      }
      assertThat(model.manager().getManagedArrays()).hasSize(before);
    }
  }

  @Test
  void theNextTokenCostsTheSameAtEveryLengthWithinALevelOrAWindow() throws IOException {
    PositionalScheme regular = new RegularGpt(4); // four levels from 65 to 256 tokens
    assertThat(elements(regular, 200)).isEqualTo(elements(regular, 250));
    PositionalScheme window = new SlidingWindow(5, Within.ALIBI);
    assertThat(elements(window, 20)).isEqualTo(elements(window, 250));
    PositionalScheme linear = new Linear(Linear.Member.GATED_DELTANET, false);
    assertThat(elements(linear, 20)).isEqualTo(elements(linear, 250));
  }

  @Test
  void theNextTokenOfOtherSchemesCostsInProportionToTheLength() throws IOException {
    long growth = elements(new Alibi(), 100) - elements(new Alibi(), 50);
    assertThat(growth).isPositive();
    assertThat(elements(new Alibi(), 250) - elements(new Alibi(), 100)).isEqualTo(3 * growth);
  }

  /** The elements that operators read for the last of T tokens. A view reads none. */
  private static long elements(PositionalScheme scheme, int length) throws IOException {
    int[] tokens = new Random(SEED).ints(length, 0, RandomModel.VOCABULARY).toArray();
    Path trace = Files.createTempFile("trace", ".json");
    try (Opened model = Opened.of(scheme, Precision.FLOAT32);
        TextState text = model.decoder().begin(model.manager(), 300)) {
      text.append(Arrays.copyOf(tokens, length - 1)).close();
      JniUtils.startProfile(false, true, false);
      try (NDArray x_1d = text.append(new int[] {tokens[length - 1]})) {
        assertThat(x_1d.getShape().size()).isPositive();
      } finally {
        JniUtils.stopProfile(trace.toString());
      }
      return OPERATOR
          .matcher(Files.readString(trace))
          .results()
          .filter(operator -> !VIEWS.contains(operator.group(1)))
          .flatMap(operator -> TENSOR.matcher(operator.group(2)).results())
          .mapToLong(tensor -> product(tensor.group(1)))
          .sum();
    } finally {
      Files.delete(trace);
    }
  }

  private static long product(String shape) {
    return Arrays.stream(shape.split(", "))
        .mapToLong(Long::parseLong)
        .reduce(1, Math::multiplyExact);
  }
}
