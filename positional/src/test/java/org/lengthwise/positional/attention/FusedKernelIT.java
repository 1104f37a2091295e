package org.lengthwise.positional.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Attention fails if libtorch would silently compute all scores at once. */
class FusedKernelIT {
  private static final int HEADS = 2;
  private static final int WIDTH = 8;
  private static final int LENGTH = 6;

  /** No fused kernel accepts a head whose numbers are not adjacent in memory. */
  private static void requireRejection(NDManager manager, UnaryOperator<NDArray> form) {
    NDArray strided =
        manager
            .randomNormal(0, 1, new Shape(1, 3 * WIDTH, LENGTH), DataType.FLOAT32)
            .transpose(0, 2, 1);
    assertThatThrownBy(() -> form.apply(strided)).hasMessageContaining("no fused attention kernel");
    NDArray contiguous = strided.getManager().create(strided.toFloatArray(), strided.getShape());
    assertThat(form.apply(contiguous).getShape()).isEqualTo(new Shape(1, LENGTH, WIDTH));
  }

  @Test
  void attentionThatNoFusedKernelAcceptsIsAnError() {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      NDArray table_HT = manager.zeros(new Shape(HEADS, LENGTH));
      requireRejection(manager, qkv -> kernels.causal(qkv, HEADS, false));
      requireRejection(manager, qkv -> kernels.denseInBlocks(qkv, table_HT, false));
      requireRejection(manager, qkv -> kernels.denseInBlocks(qkv, table_HT, true));
    }
  }
}
