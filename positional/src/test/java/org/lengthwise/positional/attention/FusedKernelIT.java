package org.lengthwise.positional.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Attention stops where libtorch would quietly hold every score at once. */
class FusedKernelIT {
  private static final int HEADS = 2;
  private static final int WIDTH = 8;
  private static final int LENGTH = 6;

  /** Numbers of one head that lie apart in memory are what no fused kernel takes. */
  private static void requireRefusal(NDManager manager, UnaryOperator<NDArray> form) {
    NDArray apart =
        manager
            .randomNormal(0, 1, new Shape(1, 3 * WIDTH, LENGTH), DataType.FLOAT32)
            .transpose(0, 2, 1);
    assertThatThrownBy(() -> form.apply(apart)).hasMessageContaining("no fused attention kernel");
    NDArray together = apart.getManager().create(apart.toFloatArray(), apart.getShape());
    assertThat(form.apply(together).getShape()).isEqualTo(new Shape(1, LENGTH, WIDTH));
  }

  @Test
  void attentionThatNoFusedKernelTakesIsAnError() {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      NDArray table_HT = manager.zeros(new Shape(HEADS, LENGTH));
      requireRefusal(manager, qkv -> kernels.causal(qkv, HEADS, false));
      requireRefusal(manager, qkv -> kernels.denseInBlocks(qkv, table_HT, false));
      requireRefusal(manager, qkv -> kernels.denseInBlocks(qkv, table_HT, true));
    }
  }
}
