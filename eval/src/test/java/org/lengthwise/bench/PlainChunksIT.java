package org.lengthwise.bench;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.bench.ScalingBench.TimedScheme;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.positional.attention.Precision;

class PlainChunksIT {
  private static final int LENGTH = 128;

  static Stream<PositionalScheme> members() {
    BenchConfig sizes =
        ConfigLoader.load(Path.of("../conf/bench.yaml"), List.of()).bind(BenchConfig.class);
    return sizes.linear().recurrences().values().stream();
  }

  @ParameterizedTest
  @MethodSource("members")
  void plainChunksHaveTheValuesAndGradientsOfOurForm(PositionalScheme scheme) {
    Attention.Pass pass = new Attention.Pass(3, 8, LENGTH, true);
    try (PlainChunks chunks = PlainChunks.on(Device.cpu());
        AttentionKernels kernels = new AttentionKernels(Device.cpu(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
      manager.getEngine().setRandomSeed(7);
      NDArray rows = manager.randomNormal(0, 1, new Shape(1, LENGTH, 3 * 24), DataType.FLOAT32);
      rows.setRequiresGradient(true);
      TimedScheme ours = new TimedScheme(scheme, kernels.withGradient(), pass);
      double difference =
          ours.over(rows)
              .difference(
                  ours::fast,
                  (leaves, owner) ->
                      chunks.begin(
                          scheme, ours.kernels(), ours.named(leaves), ours.shape(), owner));
      assertThat(difference).isGreaterThan(0).isLessThan(1e-4);
    }
  }
}
