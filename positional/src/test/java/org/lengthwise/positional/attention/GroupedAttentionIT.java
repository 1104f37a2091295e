package org.lengthwise.positional.attention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.positional.LayerWindow;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;

/** Attention of grouped heads equals attention whose keys and values were repeated before. */
class GroupedAttentionIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20231206L);
  private static final int BATCH = 2;
  private static final int LENGTH = 11;
  private static final int HEADS = 6;
  private static final int HEAD_WIDTH = 8;
  private static final int WIDTH = HEADS * HEAD_WIDTH;

  /** The window makes the pass for the last position read fewer rows. */
  private static final PositionalScheme SCHEME =
      new Rope(100, 0.5, RopeScaling.none(), new LayerWindow(4, 0));

  /** Its own kernels have grouped heads. */
  private static final PositionalScheme EVERYWHERE = new Rope(100, 0.5, RopeScaling.none(), null);

  /** Random rows of queries, keys and values in G heads. */
  private record Case(int groups, float[] rows) {
    static Case of(int groups) {
      float[] rows = new float[BATCH * LENGTH * (HEADS + 2 * groups) * HEAD_WIDTH];
      Random random = new Random(SEED);
      for (int i = 0; i < rows.length; i++) {
        rows[i] = (float) random.nextGaussian();
      }
      return new Case(groups, rows);
    }

    int width() {
      return (HEADS + 2 * groups) * HEAD_WIDTH;
    }

    /** The index among the grouped rows of a number of the repeated rows. */
    int source(int index) {
      int row = index / (3 * WIDTH);
      int head = index / HEAD_WIDTH % (3 * HEADS);
      int own = head < HEADS ? head : HEADS + head / HEADS * groups - groups;
      int group = head < HEADS ? 0 : head % HEADS * groups / HEADS;
      return row * width() + (own + group) * HEAD_WIDTH + index % HEAD_WIDTH;
    }

    float[] repeated() {
      float[] repeated = new float[BATCH * LENGTH * 3 * WIDTH];
      for (int i = 0; i < repeated.length; i++) {
        repeated[i] = rows[source(i)];
      }
      return repeated;
    }

    /** The gradients of the grouped rows from those of the repeated ones. */
    float[] added(float[] gradients) {
      float[] added = new float[rows.length];
      for (int i = 0; i < gradients.length; i++) {
        added[source(i)] += gradients[i];
      }
      return added;
    }
  }

  private static Attention.Pass pass() {
    return new Attention.Pass(HEADS, HEAD_WIDTH, LENGTH, true);
  }

  private static NDArray noParameter(String name, int block) {
    throw new AssertionError("no parameter " + name);
  }

  private static Attention plain(AttentionKernels kernels, NDManager owner) {
    return plain(SCHEME, kernels, owner);
  }

  private static Attention plain(
      PositionalScheme scheme, AttentionKernels kernels, NDManager owner) {
    return Attention.begin(scheme, kernels, GroupedAttentionIT::noParameter, pass(), owner);
  }

  /** The rows are the latest ones of a longer pass, whose window leaves out the rows before. */
  private static LastPositionAttention last(AttentionKernels kernels, NDManager owner) {
    Attention.Pass longer = new Attention.Pass(HEADS, HEAD_WIDTH, LENGTH + 9, true);
    return LastPositionAttention.begin(
        SCHEME, kernels, GroupedAttentionIT::noParameter, longer, owner);
  }

  private static Attention grouped(Attention inner, AttentionKernels kernels, int groups) {
    return GroupedAttention.of(inner, kernels, groups, block -> 0, pass());
  }

  private static LastPositionAttention grouped(
      LastPositionAttention inner, AttentionKernels kernels, int groups) {
    return GroupedAttention.of(inner, kernels, groups, block -> 0, pass());
  }

  private static NDArray tensor(NDManager manager, float[] rows) {
    return manager.create(rows, new Shape(BATCH, LENGTH, rows.length / (BATCH * LENGTH)));
  }

  /** A result and the gradient of its weighted sum. */
  private static float[][] run(NDManager manager, Attention attention, float[] rows) {
    NDArray qkv = tensor(manager, rows);
    qkv.setRequiresGradient(true);
    try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      NDArray out = attention.attend(qkv, 0, 0);
      collector.backward(out.mul(out).sum());
      return new float[][] {out.toFloatArray(), qkv.getGradient().toFloatArray()};
    }
  }

  @ParameterizedTest(name = "G = {0}, {1}, window {2}")
  @CsvSource({
    "1,FLOAT32,true",
    "2,FLOAT32,true",
    "3,FLOAT32,true",
    "2,BFLOAT16,true",
    "1,FLOAT32,false",
    "2,FLOAT32,false",
    "3,FLOAT32,false",
    "2,BFLOAT16,false"
  })
  void valuesAndGradientsEqualThoseOfRepeatedHeads(
      int groups, Precision precision, boolean hasWindow) {
    Case example = Case.of(groups);
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), precision);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      Attention inner = plain(hasWindow ? SCHEME : EVERYWHERE, kernels.withGradient(), manager);
      float[][] expected = run(manager, inner, example.repeated());
      float[][] found =
          run(manager, grouped(inner, kernels.withGradient(), groups), example.rows());
      assertThat(found[0]).as("seed %d", SEED).isEqualTo(expected[0]);
      assertArrayEquals(
          example.added(expected[1]),
          found[1],
          TestDevice.tolerance(1e-5),
          "seed %s, gradient".formatted(SEED));
    }
  }

  @ParameterizedTest(name = "G = {0}")
  @ValueSource(ints = {1, 2, 3})
  void queriesThatReadTheSameKeysAttendTogether(int groups) {
    Case example = Case.of(groups);
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      NDArray all_BTd =
          plain(EVERYWHERE, kernels, manager).attend(tensor(manager, example.repeated()), 0, 0);
      LastPositionAttention outer =
          grouped(
              LastPositionAttention.begin(
                  EVERYWHERE, kernels, GroupedAttentionIT::noParameter, pass(), manager),
              kernels,
              groups);
      NDArray own_BTg = tensor(manager, example.rows());
      NDArray q_B1d = own_BTg.get(new NDIndex(":, -1:, :{}", WIDTH)).duplicate();
      NDArray kv_BTg = own_BTg.get(new NDIndex(":, :, {}:", WIDTH)).duplicate();
      assertArrayEquals(
          all_BTd.get(new NDIndex(":, -1")).toFloatArray(),
          outer.attendNext(q_B1d, kv_BTg, 0, 0).toFloatArray(),
          TestDevice.tolerance(1e-5));
      assertThat(outer.attend(own_BTg, 0).toFloatArray()).isEqualTo(all_BTd.toFloatArray());
    }
  }

  @ParameterizedTest(name = "G = {0}")
  @ValueSource(ints = {1, 2, 3})
  void passesForTheLastPositionEqualThoseOfRepeatedHeads(int groups) {
    Case example = Case.of(groups);
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      float[] all =
          plain(kernels, manager).attend(tensor(manager, example.repeated()), 0, 0).toFloatArray();
      LastPositionAttention inner = last(kernels, manager);
      LastPositionAttention outer = grouped(inner, kernels, groups);
      NDArray repeated_BT3d = tensor(manager, example.repeated());
      NDArray own_BTg = tensor(manager, example.rows());
      NDIndex keys = new NDIndex(":, :, {}:", WIDTH);
      NDArray q_B1d = own_BTg.get(new NDIndex(":, -1:, :{}", WIDTH)).duplicate();
      NDArray kv_BT2d = repeated_BT3d.get(keys).duplicate();
      NDArray kv_BTg = own_BTg.get(keys).duplicate();

      assertThat(outer.attendNext(q_B1d, kv_BTg, 0, 0).toFloatArray())
          .isEqualTo(inner.attendNext(q_B1d, kv_BT2d, 0, 0).toFloatArray());
      assertThat(outer.attendStrided(q_B1d, kv_BTg, 0).toFloatArray())
          .isEqualTo(inner.attendStrided(q_B1d, kv_BT2d, 0).toFloatArray());
      assertThat(outer.attend(own_BTg, 0).toFloatArray()).isEqualTo(all);
    }
  }

  @Test
  void rowsOfALevelThatTheNextOneNeedsAreThoseOfTheInnerAttention() {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      LastPositionAttention inner =
          LastPositionAttention.begin(
              new RegularGpt(3), kernels, GroupedAttentionIT::noParameter, pass(), manager);
      assertThat(grouped(inner, kernels, 2).stride(LENGTH)).isEqualTo(3);
    }
  }

  @Test
  void asManyGroupsAsHeadsNeedNothing() {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      Attention inner = plain(kernels.withGradient(), manager);
      assertThat(grouped(inner, kernels, HEADS)).isSameAs(inner);
      LastPositionAttention last = last(kernels, manager);
      assertThat(grouped(last, kernels, HEADS)).isSameAs(last);
    }
  }

  @Test
  void otherGroupsAndRowsAreRejected() {
    try (AttentionKernels kernels = new AttentionKernels(TestDevice.current(), Precision.FLOAT32);
        NDManager manager = NDManager.newBaseManager(TestDevice.current(), "PyTorch")) {
      Attention inner = plain(kernels.withGradient(), manager);
      assertThatThrownBy(() -> grouped(inner, kernels, 4))
          .hasMessageContaining("key_heads: expected a divisor of 6 heads, found 4");
      NDArray rows = tensor(manager, Case.of(3).rows());
      assertThatThrownBy(() -> grouped(inner, kernels, 2).attend(rows, 0, 0))
          .hasMessageContaining("expected rows of 80 numbers, found (2, 11, 96)");
    }
  }
}
