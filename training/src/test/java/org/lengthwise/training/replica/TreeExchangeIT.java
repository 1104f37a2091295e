package org.lengthwise.training.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeExchangeIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static final List<Shape> SHAPES =
      List.of(new Shape(3, 4), new Shape(5), new Shape(30), new Shape(1), new Shape(2, 2));

  /** Buckets of 16 numbers: some tensors share one, one is larger than any. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void everyReplicaEndsWithTheSameMean(int numReplicas) {
    Random random = new Random(SEED);
    try (NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        ReplicaThreads threads = new ReplicaThreads(numReplicas);
        TreeExchange exchange =
            new TreeExchange(Collections.nCopies(numReplicas, Device.cpu()), threads, 16)) {
      double[][] means = new double[SHAPES.size()][];
      List<List<NDArray>> gradients = new ArrayList<>();
      for (int replica = 0; replica < numReplicas; replica++) {
        List<NDArray> own = new ArrayList<>();
        for (int i = 0; i < SHAPES.size(); i++) {
          float[] values = new float[(int) SHAPES.get(i).size()];
          means[i] = means[i] == null ? new double[values.length] : means[i];
          for (int j = 0; j < values.length; j++) {
            values[j] = (float) random.nextGaussian();
            means[i][j] += (double) values[j] / numReplicas;
          }
          own.add(manager.create(values, SHAPES.get(i)));
        }
        gradients.add(own);
      }
      exchange.average(gradients);
      for (int i = 0; i < SHAPES.size(); i++) {
        float[] first = gradients.get(0).get(i).toFloatArray();
        for (int j = 0; j < first.length; j++) {
          assertThat((double) first[j]).as("seed %d", SEED).isCloseTo(means[i][j], within(1e-6));
        }
        for (List<NDArray> own : gradients) {
          assertThat(own.get(i).toFloatArray()).containsExactly(first);
        }
      }
    }
  }
}
