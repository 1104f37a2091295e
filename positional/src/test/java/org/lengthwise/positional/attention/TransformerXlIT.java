package org.lengthwise.positional.attention;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.TransformerXl;

class TransformerXlIT {
  /** Twelve sequences of 300 positions have more products than one group of sequences. */
  @Test
  void groupsOfSequencesHaveTheResultsOfEachSequence() {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      Attention.Pass pass = new Attention.Pass(3, 8, 300, true);
      Map<String, NDArray> tensors =
          Map.of(
              "u", manager.randomNormal(0, 1, new Shape(3, 8), DataType.FLOAT32),
              "v", manager.randomNormal(0, 1, new Shape(3, 8), DataType.FLOAT32),
              "c_r.weight", manager.randomNormal(0, 1, new Shape(24, 24), DataType.FLOAT32));
      Attention attention =
          Attention.begin(
              new TransformerXl(),
              kernels,
              (name, block) -> requireNonNull(tensors.get(name)),
              pass,
              manager);
      NDArray qkv = manager.randomNormal(0, 1, new Shape(12, 300, 72), DataType.FLOAT32);
      NDArray together = attention.attend(qkv, 0, 0);
      for (int i = 0; i < 12; i++) {
        NDIndex sequence = new NDIndex("{}:{}", i, i + 1);
        assertArrayEquals(
            attention.attend(qkv.get(sequence), 0, 0).toFloatArray(),
            together.get(sequence).toFloatArray(),
            1e-5f);
      }
    }
  }
}
