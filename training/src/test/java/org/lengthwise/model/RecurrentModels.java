package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.provider.Arguments;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Schemes;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.TestDevice;

/** Small recurrent models with random weights. */
final class RecurrentModels {
  static final long SEED = Long.getLong("lengthwise.test.seed", 20241210L);
  static final PositionalScheme NONE = new NoPosition();
  static final PositionalScheme WINDOW = new SlidingWindow(2, SlidingWindow.Within.NONE);

  private RecurrentModels() {}

  /** The schemes that a recurrence accepts. */
  static List<PositionalScheme> schemes() {
    return Schemes.trainable().stream().filter(PositionalScheme::attendsByDistance).toList();
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

  static ModelConfig config(PositionalScheme scheme, Recurrence recurrence) {
    int headWidth = TestDevice.isGpu() ? 8 : 4;
    return new ModelConfig(2, 3 * headWidth, 3, RandomModel.VOCABULARY, scheme).with(recurrence);
  }

  static int[] tokens(int count) {
    return new Random(SEED).ints(count, 0, RandomModel.VOCABULARY).toArray();
  }

  /** A model with random weights. */
  record Opened(RandomModel random, Weights weights, LanguageModel model, NDManager manager)
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
      return model.embed(ids(tokens));
    }

    /** The hidden states of all positions, row-major. */
    float[] hidden(int... tokens) {
      return model.hidden(embed(tokens)).toFloatArray();
    }

    float[] nll(int... tokens) {
      NDArray x_Td = model.hidden(embed(Arrays.copyOf(tokens, tokens.length - 1)));
      NDArray targets_T = ids(Arrays.copyOfRange(tokens, 1, tokens.length)).reshape(-1);
      return model.nll(x_Td.reshape(-1, model.config().width()), targets_T).toFloatArray();
    }

    @Override
    public void close() {
      manager.close();
      model.close();
      weights.close();
    }
  }

  static float[] floats(double[] values) {
    float[] floats = new float[values.length];
    for (int i = 0; i < floats.length; i++) {
      floats[i] = (float) values[i];
    }
    return floats;
  }
}
