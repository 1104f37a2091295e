package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.task.LanguageModelling;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;
import org.lengthwise.training.Loops;
import org.lengthwise.training.TestDevice;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;

/** Documents in one window give the likelihoods of passes of their own, in every scheme. */
class DocumentsIT {
  private static final int END = RandomModel.VOCABULARY - 1;

  /** Two windows of T = 20 begin at places 0 and 20. Documents end at 5, 6, 16, 23 and 40. */
  private static final int[] TOKENS = tokens(41, 5, 6, 16, 23, 40);

  private static final int[][] PIECES = {{0, 5}, {7, 16}, {17, 20}, {20, 23}, {24, 40}};

  /** With BOS at the place of the token before the first target, every token is a target. */
  private static final int[][] AFTER_BOS = {{0, 5}, {5, 6}, {6, 16}, {16, 20}, {20, 23}, {23, 40}};

  private static final int BOS = 2;

  static Stream<ModelConfig> models() {
    return DecoderForms.models()
        .filter(
            model -> LongStream.range(1, 20).allMatch(model.position().lengths().keepsResults()));
  }

  private static int[] tokens(int count, int... ends) {
    int[] tokens = new Random(3).ints(count, 0, END).toArray();
    Arrays.stream(ends).forEach(end -> tokens[end] = END);
    return tokens;
  }

  private static Task task() {
    LoopConfig loop = Loops.within(Loops.of(20, 2, 1));
    TrainingConfig config =
        new TrainingConfig(
            "within",
            1,
            new TrainingConfig.ModelSize(1, 4, 1),
            new NoPosition(),
            OptimizerConfig.of(1e-3),
            loop);
    TokenizerIdentity tokenizer =
        new TokenizerIdentity("test", "0".repeat(64), RandomModel.VOCABULARY, END);
    TokenStream text = TokenStream.of(TOKENS);
    return new LanguageModelling(new DataIdentity(tokenizer, "0".repeat(64)), text, text, config);
  }

  @ParameterizedTest
  @MethodSource("models")
  void documentsGiveTheLikelihoodsOfTheirOwnPasses(ModelConfig config) {
    RandomModel model = RandomModel.of(config, new Random(7));
    Samples samples = task().training(0, 2);
    try (Weights weights = model.weights(TestDevice.current());
        LanguageModel decoder =
            LanguageModel.of(model.config(), weights, Numerics.of(Precision.FLOAT32));
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      double sum = 0;
      int count = 0;
      for (int[] piece : PIECES) {
        for (float nll : alone(decoder, manager, piece[0], piece[1], Optional.empty())) {
          sum += nll;
          count++;
        }
      }
      Samples afterBos = task().beginningWith(BOS).training(0, 2);
      double withBos = 0;
      for (int[] piece : AFTER_BOS) {
        for (float nll : alone(decoder, manager, piece[0], piece[1], Optional.of((long) BOS))) {
          withBos += nll;
        }
      }
      assertThat(afterBos.numTargets()).isEqualTo(40);
      assertThat(task().score(decoder, afterBos.on(manager)).sum())
          .isCloseTo(withBos, within(40 * (double) TestDevice.tolerance(1e-4)));
      Task.Score score = task().score(decoder, samples.on(manager));
      assertThat(score.count()).isEqualTo(count).isEqualTo(samples.numTargets());
      assertThat(score.sum()).isCloseTo(sum, within((double) count * TestDevice.tolerance(1e-4)));
      weights.requireGradients();
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        NDArray loss = task().loss(decoder, samples.on(manager));
        collector.backward(loss);
        assertThat((double) loss.getFloat())
            .isCloseTo(sum / count, within((double) TestDevice.tolerance(1e-4)));
      }
      float[] gradient = weights.get("transformer.wte.weight").getGradient().toFloatArray();
      assertThat(gradient).isNotEqualTo(new float[gradient.length]);
    }
  }

  /** The likelihoods of a piece in a pass of its own; the token after it is its last target. */
  private static float[] alone(
      LanguageModel decoder, NDManager manager, int from, int to, Optional<Long> first) {
    long[] ids = Arrays.stream(TOKENS, from, to).asLongStream().toArray();
    ids[0] = first.orElse(ids[0]);
    long[] next = Arrays.stream(TOKENS, from + 1, to + 1).asLongStream().toArray();
    NDArray tokens_1T = manager.create(ids, new Shape(1, ids.length));
    NDArray x_Td = decoder.hidden(decoder.embed(tokens_1T)).squeeze(0);
    return decoder.nll(x_Td, manager.create(next)).toFloatArray();
  }
}
