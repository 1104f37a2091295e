package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
import org.lengthwise.random.RandomStreams;
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

  /** NLLs in float64 of eight tokens, by a NumPy program of the formulas, row by row. */
  static Stream<Arguments> vectors() {
    return Stream.of(
        vector(
            blocks(1, 2, NONE, new Staircase(2, 2)),
            272,
            "2.15559299347 1.34231091192 2.44925726970 1.09418393982 "
                + "1.89136421097 2.13499243148 1.34514922121 2.44640894654"),
        vector(
            blocks(1, 2, NONE, new Staircase(2, 1)),
            272,
            "2.20989094788 1.37285254000 2.45592226541 1.14048108467 "
                + "1.95377905747 2.19235432131 1.35774693548 2.44858395512"),
        vector(
            blocks(1, 2, NONE, new Staircase(8, 2)),
            272,
            "2.15559299347 1.34231091192 2.44712241187 1.10654324368 "
                + "1.89376173789 2.14820337824 1.34626779272 2.44799415777"),
        vector(
            blocks(2, 1, NONE, new Staircase(1, 3)),
            516,
            "2.73765268776 1.10759955207 2.86338703547 1.20800128975 "
                + "1.43864621714 2.73233892029 1.10766346555 2.86339414021"),
        vector(
            blocks(2, 2, new Alibi(), new Staircase(3, 2)),
            516,
            "2.72950545217 1.10845572596 2.85316281326 1.23370579713 "
                + "1.44421559566 2.72009417276 1.10952257484 2.85270888703"),
        vector(
            blocks(3, 2, WINDOW, new BlockRecurrence(2, 3, 1)),
            948,
            "2.83713909898 1.13642669686 2.70901846504 1.51384582240 "
                + "1.19338064677 2.88012066288 1.11467197605 2.71222746667"),
        vector(
            blocks(3, 1, NONE, new BlockRecurrence(4, 1, 1)),
            932,
            "2.90086045984 1.11270370050 2.71955988828 1.51392130529 "
                + "1.19162650881 2.88808492874 1.11325930489 2.72092594633"),
        vector(
            blocks(3, 2, WINDOW, new BlockRecurrence(8, 3, 1)),
            948,
            "2.83713909898 1.13642669686 2.63197563442 1.54442112751 "
                + "1.21468164126 2.79955996376 1.13650471184 2.63196918593"),
        vector(
            blocks(1, 2, new Alibi(), new BlockRecurrence(3, 2, 0)),
            452,
            "2.80683087504 1.11163168607 3.26298267639 0.92023165130 "
                + "1.78269150379 2.79951980260 1.11363250124 3.26578883673"));
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
        .containsExactly(nlls, within(1e-9));
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
        int index = largest(gradient);
        double above = mean(opened.random().reference(spec.name(), index, 1e-5).nll(tokens));
        double below = mean(opened.random().reference(spec.name(), index, -1e-5).nll(tokens));
        double expected = (above - below) / 2e-5;
        assertThat((double) gradient[index])
            .as("seed %d, %s[%d]", SEED, spec.name(), index)
            .isEqualTo(expected, within(TestDevice.tolerance(1e-6) + 2e-3 * Math.abs(expected)));
      }
    }
  }

  private static int largest(float[] values) {
    return IntStream.range(0, values.length)
        .boxed()
        .max(Comparator.comparingDouble(i -> Math.abs(values[i])))
        .orElseThrow();
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
          .containsExactly(Arrays.copyOf(all, 99), within(TestDevice.tolerance(1e-6)));
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

  /** Block recurrence whose tensor of states has one value everywhere. */
  private static RandomModel withStates(ModelConfig config, String tensor, float value) {
    RandomModel random = RandomModel.of(config, new Random(SEED));
    Arrays.fill(
        Objects.requireNonNull(random.floats().get(ParameterLayout.states(config) + tensor)),
        value);
    return random;
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void blockRecurrenceThatReadsNothingIsTheStack(PositionalScheme scheme) {
    ModelConfig config = config(scheme, new BlockRecurrence(3, 2, 1));
    RandomModel silent = withStates(config, "c_read_proj.weight", 0);
    RandomModel plain = new RandomModel(config.with(Recurrence.none()), silent.floats());
    try (Opened found = Opened.of(silent, Precision.FLOAT32);
        Opened expected = Opened.of(plain, Precision.FLOAT32)) {
      assertThat(found.hidden(tokens(20)))
          .containsExactly(expected.hidden(tokens(20)), within(TestDevice.tolerance(1e-5)));
    }
  }

  /** Two blocks of window 2 see 3 tokens. States that never change add no others. */
  @Test
  void statesBehindAClosedGateDoNotDependOnTokens() {
    ModelConfig config = config(WINDOW, new BlockRecurrence(3, 2, 1));
    int[] tokens = tokens(14);
    int[] changed = tokens.clone();
    changed[0] = (changed[0] + 1) % RandomModel.VOCABULARY;
    int from = 3 * config.width();
    try (Opened closed = Opened.of(withStates(config, "gate", 40), Precision.FLOAT32);
        Opened open = Opened.of(config)) {
      float[] kept = closed.hidden(tokens);
      float[] other = open.hidden(tokens);
      assertThat(Arrays.copyOfRange(closed.hidden(changed), from, kept.length))
          .containsExactly(
              Arrays.copyOfRange(kept, from, kept.length), within(TestDevice.tolerance(1e-5)));
      assertThat(Arrays.copyOfRange(open.hidden(changed), from, kept.length))
          .isNotEqualTo(Arrays.copyOfRange(other, from, kept.length));
    }
  }

  static Stream<ModelConfig> dependences() {
    Stream<ModelConfig> all =
        Stream.of(NONE, new Alibi(), WINDOW)
            .flatMap(scheme -> recurrences().map(recurrence -> config(scheme, recurrence)));
    ModelConfig three = new ModelConfig(3, 4, 1, RandomModel.VOCABULARY, WINDOW);
    ModelConfig one = new ModelConfig(1, 4, 1, RandomModel.VOCABULARY, WINDOW);
    return Stream.concat(
        all,
        Stream.of(
            config(WINDOW, new Staircase(2, 3)),
            three.with(new BlockRecurrence(3, 2, 1)),
            three.with(new Staircase(3, 2)),
            one.with(new Staircase(3, 2))));
  }

  /** By gradients of the model, and by shifts of the reference in doubles. */
  @ParameterizedTest
  @MethodSource("dependences")
  void everyOutputDependsOnItsReceptiveFieldAndOnNothingElse(ModelConfig config) {
    try (Opened model = Opened.of(config)) {
      ReferenceDecoder reference = model.random().reference();
      for (int length = 1; length <= 12; length++) {
        int[] tokens = tokens(length);
        float[] norms = norms(model.model(), model.manager(), tokens);
        double[][] embedded_Td = reference.embed(tokens);
        double before = reference.lastNll(embedded_Td, 1);
        for (int n = 0; n < length; n++) {
          boolean isRead = n >= length - config.receptiveField(length);
          embedded_Td[n][0] += 1;
          double after = reference.lastNll(embedded_Td, 1);
          embedded_Td[n][0] -= 1;
          assertThat(after != before).as("input %d of %d", n, length).isEqualTo(isRead);
          assertThat(norms[n] != 0).as("input %d of %d", n, length).isEqualTo(isRead);
        }
      }
    }
  }

  /** The norm of the gradient of the last position's loss at each position. */
  private static float[] norms(LanguageModel model, NDManager manager, int[] tokens) {
    long[] ids = Arrays.stream(tokens).asLongStream().toArray();
    NDArray embedded_BTd = model.embed(manager.create(ids, new Shape(1, ids.length)), true);
    NDArray target_B = manager.create(new long[] {1});
    NDArray gradient_BTd =
        model.gradient(
            embedded_BTd,
            x_BTd -> model.nll(x_BTd.get(new NDIndex(":, -1")), target_B, true).sum());
    return gradient_BTd.square().sum(new int[] {2}).sqrt().toFloatArray();
  }

  @Test
  void twoPassesReadEveryPositionAtInitialWeightsAndOnePassReadsItsChunk() {
    for (int passes : new int[] {1, 2}) {
      ModelConfig config =
          new ModelConfig(2, 16, 2, RandomModel.VOCABULARY, NONE).with(new Staircase(32, passes));
      try (NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch");
          Weights weights =
              Weights.initialise(config, new RandomStreams(SEED), TestDevice.current());
          LanguageModel model = LanguageModel.of(config, weights, Precision.FLOAT32)) {
        float[] norms = norms(model, manager, tokens(512));
        for (int n = 0; n < 512; n++) {
          assertThat(norms[n] != 0)
              .as("%d passes, position %d", passes, n)
              .isEqualTo(passes == 2 || n >= 480);
        }
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
