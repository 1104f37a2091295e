package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Formula;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Schemes;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.TestDevice;

/** Recurrent models against their reference, independent numbers and identities. */
class RecurrenceIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20241210L);
  private static final PositionalScheme NONE = new NoPosition();
  private static final PositionalScheme WINDOW = new SlidingWindow(2, SlidingWindow.Within.NONE);

  /** The schemes that a recurrence accepts. */
  static List<PositionalScheme> schemes() {
    return Schemes.trainable().stream()
        .filter(scheme -> !List.of("regulargpt", "fire").contains(scheme.label()))
        .filter(scheme -> !(scheme instanceof Formula formula) || formula.allowsRecurrence())
        .toList();
  }

  static Stream<Arguments> models() {
    return schemes().stream()
        .flatMap(
            scheme ->
                Stream.of(
                        new Staircase(3, 2),
                        new Staircase(1, 3),
                        new Staircase(4, 1),
                        new BlockRecurrence(3, 2, 1),
                        new BlockRecurrence(1, 1, 0))
                    .map(recurrence -> Arguments.of(scheme, recurrence)));
  }

  static Stream<Recurrence> recurrences() {
    return Stream.of(
        new Staircase(3, 2),
        new Staircase(1, 3),
        new Staircase(4, 1),
        new Staircase(40, 2),
        new BlockRecurrence(3, 2, 1),
        new BlockRecurrence(1, 1, 0),
        new BlockRecurrence(40, 3, 0));
  }

  private static ModelConfig config(PositionalScheme scheme, Recurrence recurrence) {
    int headWidth = TestDevice.isGpu() ? 8 : 4;
    return new ModelConfig(2, 3 * headWidth, 3, RandomModel.VOCABULARY, scheme).with(recurrence);
  }

  private static int[] tokens(int count) {
    return new Random(SEED).ints(count, 0, RandomModel.VOCABULARY).toArray();
  }

  /** A model with random weights. */
  private record Opened(RandomModel random, Weights weights, LanguageModel model, NDManager manager)
      implements AutoCloseable {

    static Opened of(ModelConfig config) {
      return of(config, Precision.FLOAT32);
    }

    static Opened of(ModelConfig config, Precision precision) {
      return of(RandomModel.of(config, new Random(SEED)), precision);
    }

    static Opened of(RandomModel random, Precision precision) {
      Weights weights = random.weights(TestDevice.current());
      return new Opened(
          random,
          weights,
          LanguageModel.of(random.config(), weights, precision),
          NDManager.newBaseManager(TestDevice.current(), "PyTorch"));
    }

    NDArray ids(int[] tokens) {
      long[] ids = Arrays.stream(tokens).asLongStream().toArray();
      return manager.create(ids, new Shape(1, ids.length));
    }

    NDArray embed(int[] tokens) {
      return model.embed(ids(tokens), false);
    }

    /** The hidden states of all positions, row-major. */
    float[] hidden(int... tokens) {
      return model.hidden(embed(tokens), false).toFloatArray();
    }

    float[] nll(int... tokens) {
      NDArray x_Td = model.hidden(embed(Arrays.copyOf(tokens, tokens.length - 1)), false);
      NDArray targets_T = ids(Arrays.copyOfRange(tokens, 1, tokens.length)).reshape(-1);
      return model.nll(x_Td.reshape(-1, model.config().width()), targets_T, false).toFloatArray();
    }

    @Override
    public void close() {
      manager.close();
      model.close();
      weights.close();
    }
  }

  /** NLLs in float64 of eight tokens, by a program written apart from this one. */
  static Stream<Arguments> vectors() {
    return Stream.of(
        vector(
            blocks(1, 2, NONE, new Staircase(2, 2)),
            272,
            "2.155593 1.342311 2.449257 1.094184 1.891364 2.134992 1.345149 2.446409"),
        vector(
            blocks(1, 2, NONE, new Staircase(2, 1)),
            272,
            "2.209891 1.372853 2.455922 1.140481 1.953779 2.192354 1.357747 2.448584"),
        vector(
            blocks(1, 2, NONE, new Staircase(8, 2)),
            272,
            "2.155593 1.342311 2.447122 1.106543 1.893762 2.148203 1.346268 2.447994"),
        vector(
            blocks(2, 1, NONE, new Staircase(1, 3)),
            516,
            "2.737653 1.107600 2.863387 1.208001 1.438646 2.732339 1.107663 2.863394"),
        vector(
            blocks(2, 2, new Alibi(), new Staircase(3, 2)),
            516,
            "2.729505 1.108456 2.853163 1.233706 1.444216 2.720094 1.109523 2.852709"),
        vector(
            blocks(3, 2, WINDOW, new BlockRecurrence(2, 3, 1)),
            948,
            "2.837139 1.136427 2.709018 1.513846 1.193381 2.880121 1.114672 2.712227"),
        vector(
            blocks(3, 1, NONE, new BlockRecurrence(4, 1, 1)),
            932,
            "2.900860 1.112704 2.719560 1.513921 1.191627 2.888085 1.113259 2.720926"),
        vector(
            blocks(3, 2, WINDOW, new BlockRecurrence(8, 3, 1)),
            948,
            "2.837139 1.136427 2.631976 1.544421 1.214682 2.799560 1.136505 2.631969"),
        vector(
            blocks(1, 2, new Alibi(), new BlockRecurrence(3, 2, 0)),
            452,
            "2.806831 1.111632 3.262983 0.920232 1.782692 2.799520 1.113633 3.265789"));
  }

  private static ModelConfig blocks(
      int layers, int heads, PositionalScheme scheme, Recurrence recurrence) {
    return new ModelConfig(layers, 4, heads, 5, scheme).with(recurrence);
  }

  private static Arguments vector(ModelConfig config, int numParameters, String nlls) {
    double[] values = Arrays.stream(nlls.split(" ")).mapToDouble(Double::parseDouble).toArray();
    return Arguments.of(config, numParameters, values);
  }

  /** Tensor t, element j: 0.5 sin(1 + 0.7 j + 1.9 t), plus 1 for weights of a LayerNorm. */
  private static Map<String, double[]> sines(ModelConfig config) {
    Map<String, double[]> values = new LinkedHashMap<>();
    List<ParameterSpec> layout = ParameterLayout.of(config);
    for (int t = 0; t < layout.size(); t++) {
      ParameterSpec spec = layout.get(t);
      double shift = spec.name().matches(".*(ln_[12f]|state\\.ln)\\.weight") ? 1 : 0;
      double phase = 1 + 1.9 * t;
      values.put(
          spec.name(),
          IntStream.range(0, spec.size())
              .mapToDouble(j -> shift + 0.5 * Math.sin(phase + 0.7 * j))
              .toArray());
    }
    return values;
  }

  private static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }

  @ParameterizedTest
  @MethodSource("vectors")
  void likelihoodsEqualIndependentNumbers(ModelConfig config, int numParameters, double[] nlls) {
    assertThat(config.numParameters()).isEqualTo(numParameters);
    Map<String, double[]> values = sines(config);
    int[] tokens = {0, 1, 2, 3, 4, 0, 1, 2, 3};
    assertThat(new ReferenceDecoder(config, values).nll(tokens))
        .containsExactly(nlls, within(6e-7)); // the numbers have six digits
    Map<String, float[]> numbers = new HashMap<>();
    values.forEach((name, doubles) -> numbers.put(name, floats(doubles)));
    try (Opened model = Opened.of(new RandomModel(config, numbers), Precision.FLOAT32)) {
      assertThat(model.nll(tokens))
          .containsExactly(floats(nlls), within(TestDevice.tolerance(1e-5)));
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void likelihoodsEqualThePlainDoubleReference(PositionalScheme scheme, Recurrence recurrence) {
    try (Opened model = Opened.of(config(scheme, recurrence))) {
      for (int count : new int[] {2, 3, 4, 5, 7, 8, 29}) {
        int[] tokens = tokens(count);
        assertThat(model.nll(tokens))
            .as("seed %d, %d tokens", SEED, count)
            .containsExactly(
                floats(model.random().reference().nll(tokens)), within(TestDevice.tolerance(1e-4)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void lastHiddenEqualsTheLastPositionOfHidden(PositionalScheme scheme, Recurrence recurrence) {
    ModelConfig config = config(scheme, recurrence);
    try (Opened model = Opened.of(config)) {
      for (int length : new int[] {1, 2, 3, 4, 5, 11, 14}) {
        float[] all = model.hidden(tokens(length));
        assertThat(model.model().lastHidden(model.embed(tokens(length)), false).toFloatArray())
            .as("seed %d, T = %d", SEED, length)
            .containsExactly(
                Arrays.copyOfRange(all, all.length - config.width(), all.length),
                within(TestDevice.tolerance(1e-5)));
      }
    }
  }

  @ParameterizedTest
  @MethodSource("recurrences")
  void bfloat16IsCloseToFloat32(Recurrence recurrence) {
    try (Opened exact = Opened.of(config(new Alibi(), recurrence));
        Opened model = Opened.of(config(new Alibi(), recurrence), Precision.BFLOAT16)) {
      int[] tokens = tokens(20);
      assertThat(model.nll(tokens)).containsExactly(exact.nll(tokens), within(0.2f));
    }
  }

  @ParameterizedTest
  @MethodSource("models")
  void gradientsOfEveryTensorMatchFiniteDifferences(
      PositionalScheme scheme, Recurrence recurrence) {
    int[] tokens = tokens(12);
    try (Opened opened = Opened.of(config(scheme, recurrence))) {
      opened.weights().requireGradients();
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        collector.backward(
            opened
                .model()
                .loss(
                    opened.ids(Arrays.copyOf(tokens, 11)),
                    opened.ids(Arrays.copyOfRange(tokens, 1, 12))));
      }
      for (ParameterSpec spec : opened.weights().layout()) {
        float[] gradient = opened.weights().get(spec.name()).getGradient().toFloatArray();
        int index = new Random(SEED).nextInt(gradient.length);
        double above = mean(opened.random().reference(spec.name(), index, 1e-5).nll(tokens));
        double below = mean(opened.random().reference(spec.name(), index, -1e-5).nll(tokens));
        assertThat((double) gradient[index])
            .as("seed %d, %s[%d]", SEED, spec.name(), index)
            .isEqualTo((above - below) / 2e-5, within((double) TestDevice.tolerance(2e-4)));
      }
    }
  }

  private static double mean(double[] values) {
    return Arrays.stream(values).average().orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("models")
  void theGradientAtEmbeddingsEqualsThatOfTheWholeGraph(
      PositionalScheme scheme, Recurrence recurrence) {
    for (int length : new int[] {1, 4, 13}) {
      try (Opened opened = Opened.of(config(scheme, recurrence))) {
        NDArray embedded_BTd = opened.model().embed(opened.ids(tokens(length)), true);
        float[] found = opened.model().gradient(embedded_BTd, RecurrenceIT::scalar).toFloatArray();
        embedded_BTd.setRequiresGradient(true);
        try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
          collector.backward(scalar(opened.model().hidden(embedded_BTd, true)));
        }
        assertThat(found)
            .as("T = %d", length)
            .containsExactly(
                embedded_BTd.getGradient().toFloatArray(), within(TestDevice.tolerance(1e-4)));
      }
    }
  }

  /** A scalar to which every hidden state contributes differently. */
  private static NDArray scalar(NDArray x_BTd) {
    NDArray factors =
        x_BTd.getManager().arange((float) x_BTd.size()).reshape(x_BTd.getShape()).mul(0.37f).sin();
    return x_BTd.mul(factors).sum();
  }

  @ParameterizedTest
  @MethodSource("models")
  void aTextOfPiecesEqualsOnePass(PositionalScheme scheme, Recurrence recurrence) {
    int[] tokens = tokens(38);
    ModelConfig config = config(scheme, recurrence);
    try (Opened model = Opened.of(config);
        TextState text = model.model().begin(model.manager(), 40)) {
      float[] all = model.hidden(tokens);
      int end = 0;
      for (int length : List.of(1, 1, 5, 1, 12, 1, 1, 1, 3, 4, 8)) {
        int[] piece = Arrays.copyOfRange(tokens, end, end + length);
        boolean isOdd = length % 2 == 1;
        float[] found = (isOdd ? text.appendAll(piece) : text.append(piece)).toFloatArray();
        end += length;
        int width = config.width();
        float[] expected =
            Arrays.copyOfRange(all, (isOdd ? end - length : end - 1) * width, end * width);
        assertThat(found)
            .as("%d tokens", end)
            .containsExactly(expected, within(TestDevice.tolerance(1e-4)));
      }
      assertThat(end).isEqualTo(38);
    }
  }

  @ParameterizedTest
  @MethodSource("recurrences")
  void resultsOfAPrefixAreAPrefixAndDoNotDependOnLaterTokens(Recurrence recurrence) {
    try (Opened model = Opened.of(config(new Alibi(), recurrence))) {
      int[] tokens = tokens(300);
      float[] all = model.nll(tokens);
      assertThat(model.nll(Arrays.copyOf(tokens, 100)))
          .containsExactly(Arrays.copyOf(all, 99), within(TestDevice.tolerance(1e-5)));
      int[] changed = tokens.clone();
      changed[150] = (changed[150] + 1) % RandomModel.VOCABULARY;
      float[] after = model.nll(changed);
      assertThat(Arrays.copyOf(after, 149)).containsExactly(Arrays.copyOf(all, 149));
      assertThat(after[149]).isNotEqualTo(all[149]);
    }
  }

  @Test
  void aStaircaseOfOneChunkRunsTheBlocksNTimes() {
    int[] tokens = tokens(20);
    for (PositionalScheme scheme : schemes()) {
      try (Opened plain = Opened.of(config(scheme, Recurrence.none()));
          Opened staircase = Opened.of(config(scheme, new Staircase(20, 3)))) {
        NDArray x_BTd = plain.embed(tokens);
        for (int p = 0; p < 3; p++) {
          x_BTd = plain.model().hidden(x_BTd, false);
        }
        assertThat(staircase.hidden(tokens))
            .as(scheme.label())
            .containsExactly(x_BTd.toFloatArray(), within(TestDevice.tolerance(1e-5)));
      }
    }
  }

  @Test
  void aSinglePassOverOneChunkIsTheStack() {
    int[] tokens = tokens(20);
    try (Opened plain = Opened.of(config(new Alibi(), Recurrence.none()));
        Opened staircase = Opened.of(config(new Alibi(), new Staircase(20, 1)))) {
      assertThat(staircase.hidden(tokens))
          .containsExactly(plain.hidden(tokens), within(TestDevice.tolerance(1e-5)));
    }
  }

  @Test
  void aSinglePassOverChunksOfOneTokenSeesThatTokenOnly() {
    try (Opened staircase = Opened.of(config(new Alibi(), new Staircase(1, 1)))) {
      int width = staircase.model().config().width();
      float[] all = staircase.hidden(3, 5, 3, 7);
      for (int t : new int[] {0, 1, 2, 3}) {
        assertThat(Arrays.copyOfRange(all, t * width, (t + 1) * width))
            .containsExactly(
                staircase.hidden(List.of(3, 5, 3, 7).get(t)), within(TestDevice.tolerance(1e-5)));
      }
    }
  }

  @Test
  void passesLeakNoTensors() {
    for (Recurrence recurrence : recurrences().toList()) {
      try (Opened opened = Opened.of(config(new Alibi(), recurrence))) {
        opened.weights().requireGradients();
        NDManager owner = opened.weights().get("transformer.wte.weight").getManager();
        int before = owner.getManagedArrays().size();
        try (NDManager pass = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
            GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
          NDArray ids_BT = pass.create(new long[10], new Shape(1, 10));
          collector.backward(opened.model().loss(ids_BT, ids_BT));
          assertThat(pass.getManagedArrays()).as(recurrence.label()).hasSize(4); // as a decoder's
        }
        assertThat(owner.getManagedArrays()).as(recurrence.label()).hasSize(before);
        int own = opened.manager().getManagedArrays().size();
        try (TextState text = opened.model().begin(opened.manager(), 40)) {
          for (int token : tokens(20)) {
            text.append(new int[] {token}).close();
          }
        }
        assertThat(opened.manager().getManagedArrays()).as(recurrence.label()).hasSize(own);
      }
    }
  }
}
