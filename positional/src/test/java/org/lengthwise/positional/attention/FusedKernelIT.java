package org.lengthwise.positional.attention;

import static ai.djl.ndarray.types.DataType.FLOAT32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import ai.djl.pytorch.engine.PtNDArray;
import ai.djl.pytorch.jni.IValue;
import ai.djl.training.GradientCollector;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.positional.Schemes;

/** Attention fails if libtorch would silently compute all scores at once. */
class FusedKernelIT {
  private static final int HEADS = 2;
  private static final int WIDTH = 8;
  private static final int LENGTH = 6;
  private static final String CUDNN = "_scaled_dot_product_cudnn_attention";

  /** No fused kernel accepts a head whose numbers are not adjacent in memory. */
  private static void requireRejection(NDManager manager, SchemeAttention form) {
    NDArray strided =
        manager.randomNormal(0, 1, new Shape(1, 3 * WIDTH, LENGTH), FLOAT32).transpose(0, 2, 1);
    assertThatThrownBy(() -> form.attend(strided, 0, 0))
        .hasMessageContaining("no fused attention kernel");
    NDArray contiguous = strided.getManager().create(strided.toFloatArray(), strided.getShape());
    assertThat(form.attend(contiguous, 0, 0).getShape()).isEqualTo(new Shape(1, LENGTH, WIDTH));
  }

  /** Memory layouts, and whether fused kernels of a GPU take them in libtorch 2.7.1. */
  enum Layout {
    CONTIGUOUS(true, 8, "...", "..."),
    PART_OF_QKV(true, 24, ":, :, :, 8:16", "..."),
    HEAD_OF_12_NUMBERS(true, 12, "...", "..."),
    BEGINS_AT_AN_ODD_NUMBER(false, 24, ":, :, :, 3:11", "..."),
    EVERY_SECOND_NUMBER(false, 16, ":, :, :, ::2", "..."),
    BIAS_OF_A_LATER_BLOCK(true, 8, "...", ":, :, :, 8:24"),
    BIAS_BEGINS_AT_AN_ODD_NUMBER(false, 8, "...", ":, :, :, 3:19");

    private final boolean isTaken;
    private final int width;
    private final String numbers;
    private final String bias;

    Layout(boolean isTaken, int width, String numbers, String bias) {
      this.isTaken = isTaken;
      this.width = width;
      this.numbers = numbers;
      this.bias = bias;
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void rulesOfAGpuDecideWhatIsSentToItsFusedKernels(Layout layout) {
    try (KernelModule kernels = gpuKernels();
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      NDArray qkv =
          part(
              manager.randomNormal(0, 1, new Shape(2, 2, 16, layout.width), FLOAT32),
              layout.numbers);
      long keys = layout.bias.equals("...") ? 16 : 24;
      NDArray bias = part(manager.zeros(new Shape(1, 2, 16, keys)), layout.bias);
      if (layout.isTaken) {
        assertThatCode(() -> fused(kernels, qkv, bias)).doesNotThrowAnyException();
      } else {
        assertThatThrownBy(() -> fused(kernels, qkv, bias))
            .hasMessageContaining("no fused attention kernel");
      }
    }
  }

  /** A CPU has no cuDNN, so its error shows that the operator was called. */
  @ParameterizedTest
  @ValueSource(strings = {"none", "rope", "alibi"})
  void cudnnIsCalledInPassesWithGradientsOnly(String label) {
    KernelChoice.Use use = use(label, true, Precision.BFLOAT16);
    assertThat(use.attendsWithoutGradientsOfBiases()).isTrue();
    assertThat(use.milliseconds(false)).isPositive();
    assertThatThrownBy(() -> use.milliseconds(true)).hasMessageContaining(CUDNN);
    assertThatThrownBy(use::difference).hasMessageContaining(CUDNN);
    Numerics cudnn = use.numerics().withCudnn(true);
    try (AttentionKernels kernels = new AttentionKernels(Device.cpu(), cudnn);
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
      NDArray qkv = manager.randomNormal(0, 1, new Shape(1, LENGTH, 3 * HEADS * WIDTH), FLOAT32);
      Attention attention =
          Attention.begin(use.scheme(), kernels, (name, block) -> qkv, use.pass(), manager);
      assertThat(attention.attend(qkv, 0, 0).getShape())
          .isEqualTo(new Shape(1, LENGTH, HEADS * WIDTH));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"kerple-log", "t5", "fire", "transformer-xl", "sliding-window"})
  void cudnnIsNotChosenForOtherForms(String label) {
    assertThat(use(label, true, Precision.BFLOAT16).attendsWithoutGradientsOfBiases()).isFalse();
  }

  /** Its rows begin at odd numbers. */
  @Test
  void cudnnIsNotCalledWithALayoutThatItDoesNotTake() {
    Numerics cudnn = new Numerics(Precision.BFLOAT16, Precision.FLOAT32, true);
    try (AttentionKernels kernels = new AttentionKernels(Device.cpu(), cudnn);
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch");
        GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      NDArray qkv = manager.randomNormal(0, 1, new Shape(1, LENGTH, 3 * 12), FLOAT32);
      UnbiasedAttention attention =
          new UnbiasedAttention(kernels.withGradient(), new Attention.Pass(1, 12, LENGTH, true));
      assertThatThrownBy(() -> attention.attend(qkv, 0, 0))
          .hasMessageContaining("no fused attention kernel")
          .hasMessageContaining("kernel 3");
      assertThat(collector).as("what turns gradients on").isNotNull();
    }
  }

  @Test
  void cudnnIsForGpusBfloat16AndOneLength() {
    Device gpu = Device.gpu(0);
    KernelChoice.Use use = use("none", false, Precision.BFLOAT16);
    assertThat(KernelChoice.of(AttentionKernel.AUTO, use).reason()).isEmpty();
    assertThat(use("none", true, Precision.BFLOAT16).suitsCudnn()).isFalse();
    assertThat(
            new KernelChoice.Use(use.scheme(), use.pass(), 2, false, use.numerics(), gpu)
                .suitsCudnn())
        .isFalse();
    Numerics float32 = Numerics.of(Precision.FLOAT32);
    assertThat(new KernelChoice.Use(use.scheme(), use.pass(), 2, true, float32, gpu).suitsCudnn())
        .isFalse();
  }

  private static KernelChoice.Use use(String label, boolean hasOneLength, Precision precision) {
    return new KernelChoice.Use(
        Schemes.trainable().stream()
            .filter(scheme -> scheme.label().equals(label))
            .findFirst()
            .orElseThrow(),
        new Attention.Pass(HEADS, WIDTH, LENGTH, true),
        2,
        hasOneLength,
        Numerics.of(precision),
        Device.cpu());
  }

  /** On a GPU heads of 12 numbers are followed by 4 zeros. */
  @Test
  void headsOfAnyWidthAreComputedOnAGpu() {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        KernelModule onGpu = gpuKernels();
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      NDArray qkv = manager.randomNormal(0, 1, new Shape(2, LENGTH, 3 * 2 * 12), FLOAT32);
      NDArray expected =
          new UnbiasedAttention(kernels, new Attention.Pass(2, 12, LENGTH, true)).attend(qkv, 0, 0);
      assertArrayEquals(
          expected.toFloatArray(), onGpu.run("causal", qkv, onGpu.scalar(2)).toFloatArray(), 1e-6f);
    }
  }

  @Test
  void moreSequencesThanTheGridOfAGpuAreSplit() {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      NDArray qkv = manager.randomNormal(0, 1, new Shape(65_537, 2, 3 * WIDTH), FLOAT32);
      Attention.Pass pass = new Attention.Pass(1, WIDTH, 2, true);
      UnbiasedAttention attention = new UnbiasedAttention(kernels, pass);
      NDArray last = attention.attend(qkv.get(new NDIndex("65535:")), 0, 0);
      assertArrayEquals(
          last.toFloatArray(),
          attention.attend(qkv, 0, 0).get(new NDIndex("65535:")).toFloatArray(),
          1e-6f);
    }
  }

  private static KernelModule gpuKernels() {
    return KernelModule.load(
        AttentionKernels.source(),
        TestDevice.current(),
        new KernelModule.Target(true, 20701, false, false),
        false);
  }

  private static NDArray part(NDArray whole, String index) {
    return index.equals("...") ? whole : whole.get(new NDIndex(index));
  }

  private static void fused(KernelModule kernels, NDArray qkv, NDArray bias) {
    kernels
        .call(
            "fused",
            IValue.from((PtNDArray) qkv),
            IValue.from((PtNDArray) qkv),
            IValue.from((PtNDArray) qkv),
            IValue.from((PtNDArray) bias),
            IValue.from(false))
        .close();
  }

  @Test
  void attentionThatNoFusedKernelAcceptsIsAnError() {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      Attention.Pass pass = new Attention.Pass(HEADS, WIDTH / HEADS, LENGTH, true);
      NDArray table = manager.zeros(new Shape(HEADS, LENGTH));
      for (AttentionKernels each : List.of(kernels, kernels.withGradient())) {
        requireRejection(manager, new UnbiasedAttention(each, pass));
        requireRejection(manager, BiasedAttention.of(table, each, pass));
      }
    }
  }
}
