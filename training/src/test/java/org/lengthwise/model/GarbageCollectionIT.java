package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Schemes;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;

/** The garbage collector must not free memory that a backward pass still reads. */
@Timeout(120)
class GarbageCollectionIT {
  private static final long SEED = 11;
  private static final int LENGTH = 24;
  private static final int MOST_BYTES = 4096;
  private static final int BUFFERS_OF_A_SIZE = 8;

  static List<PositionalScheme> schemes() {
    return Schemes.trainable();
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void gradientsAreUnchangedIfFreedMemoryIsReusedBeforeTheBackwardPass(PositionalScheme scheme)
      throws InterruptedException {
    RandomModel model = RandomModel.of(scheme, new Random(SEED));
    Map<String, float[]> expected = gradients(model, false);
    assertThat(expected.values()).anySatisfy(gradient -> assertThat(gradient).isNotEqualTo(0f));
    gradients(model, true)
        .forEach((name, found) -> assertThat(found).as(name).containsExactly(expected.get(name)));
  }

  private static Map<String, float[]> gradients(RandomModel model, boolean collects)
      throws InterruptedException {
    try (Weights weights = model.weights();
        Decoder decoder = new Decoder(model.config(), weights, Numerics.of(Precision.FLOAT32));
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      weights.requireGradients();
      long[] tokens =
          new Random(SEED).ints(LENGTH + 1, 0, RandomModel.VOCABULARY).asLongStream().toArray();
      Shape shape = new Shape(1, LENGTH);
      NDArray inputs_BT = manager.create(Arrays.copyOf(tokens, LENGTH), shape);
      NDArray targets_BT = manager.create(Arrays.copyOfRange(tokens, 1, LENGTH + 1), shape);
      NDArray loss = decoder.loss(inputs_BT, targets_BT);
      List<ByteBuffer> others = collects ? collectAndReuse() : List.of();
      collector.backward(loss);
      assertThat(others).hasSize(collects ? MOST_BYTES / 4 * BUFFERS_OF_A_SIZE : 0);
      return read(weights);
    }
  }

  private static Map<String, float[]> read(Weights weights) {
    Map<String, float[]> gradients = new LinkedHashMap<>();
    weights
        .tensors()
        .forEach(
            (name, weight) -> {
              try (NDArray gradient = weight.getGradient()) {
                gradients.put(name, gradient.toFloatArray());
              }
            });
    return gradients;
  }

  /** Frees the memory of unreachable buffers, and fills as much memory with other numbers. */
  private static List<ByteBuffer> collectAndReuse() throws InterruptedException {
    for (int round = 0; round < 2; round++) {
      ReferenceQueue<Object> collected = new ReferenceQueue<>();
      PhantomReference<Object> unreachable = new PhantomReference<>(new Object(), collected);
      System.gc();
      assertThat(collected.remove()).isSameAs(unreachable);
    }
    List<ByteBuffer> others = new ArrayList<>();
    for (int bytes = 4; bytes <= MOST_BYTES; bytes += 4) {
      for (int i = 0; i < BUFFERS_OF_A_SIZE; i++) {
        ByteBuffer other = ByteBuffer.allocateDirect(bytes);
        while (other.hasRemaining()) {
          other.put((byte) 0x55);
        }
        others.add(other);
      }
    }
    return others;
  }
}
