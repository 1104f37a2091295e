package org.lengthwise.task;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.attention.WatchedAttention.Weights;
import org.lengthwise.rasp.SOp;
import org.lengthwise.recall.Rasp;
import org.lengthwise.recall.RaspLanguage;

class AttentionSupervisionIT {
  private static final long SEED = Long.getLong("lengthwise.test.seed", 20260101L);

  private static final int LENGTH = 4;
  private static final int CELLS = LENGTH * LENGTH;

  private static final Rasp HIST = task(RaspLanguage.HIST_BOS, 100);
  private static final List<String> ONE = List.of("§aba");

  /** In a histogram with BOS each symbol selects BOS and its equals; BOS selects BOS. */
  private static final float[] SELECTED = {
    1, 0, 0, 0, 1 / 3f, 1 / 3f, 0, 1 / 3f, 1 / 2f, 0, 1 / 2f, 0, 1 / 3f, 1 / 3f, 0, 1 / 3f
  };

  private static Rasp task(RaspLanguage language, double factor) {
    return new Rasp(language, List.of(0, LENGTH), 0, 0, 0, factor);
  }

  /**
   * @param heads the heads of each block
   * @param weights [B, heads, T, T] of each block
   */
  private static double loss(Rasp task, List<String> texts, int heads, float[]... weights) {
    try (NDManager manager = NDManager.newBaseManager("PyTorch")) {
      List<Weights> blocks = new ArrayList<>();
      for (float[] numbers : weights) {
        Shape shape = new Shape(texts.size(), heads, LENGTH, LENGTH);
        blocks.add(new Weights(blocks.size(), 0, manager.create(numbers, shape)));
      }
      return new AttentionSupervision(task).loss(tokens(task, texts, manager), blocks).getFloat();
    }
  }

  private static NDArray tokens(Rasp task, List<String> texts, NDManager manager) {
    long[] tokens =
        texts.stream().flatMapToInt(text -> Arrays.stream(task.ids(text))).asLongStream().toArray();
    return manager.create(tokens, new Shape(texts.size(), LENGTH));
  }

  @Test
  void theLossIsTheFactorTimesTheMeanSquareToUniformWeights() {
    Random random = new Random(SEED);
    float[] weights = new float[CELLS];
    double sum = 0;
    for (int i = 0; i < CELLS; i++) {
      weights[i] = random.nextFloat();
      sum += Math.pow(weights[i] - SELECTED[i], 2);
    }
    assertThat(loss(HIST, ONE, 1, weights))
        .as("seed %s", SEED)
        .isCloseTo(100 * sum / CELLS, within(1e-4));
    assertThat(loss(HIST, ONE, 1, SELECTED)).isZero();
  }

  /** The program has two heads in its first layer and one in its second. A last row changes. */
  @Test
  void headOfTheProgramIsTheHeadOfItsPlaceInEachString() {
    Rasp task = task(RaspLanguage.DOUBLE_HIST, 1);
    List<String> texts = List.of("§abb", "§acc");
    assertThat(loss(task, texts, 2, selected(task, texts))).isZero();
    for (int changed = CELLS - LENGTH; changed < 4 * CELLS; changed += CELLS) {
      float[][] first = selected(task, texts);
      first[0][changed]++;
      assertThat(loss(task, texts, 2, first)).isCloseTo(1.0 / (2 * CELLS), within(1e-6));
      float[][] second = selected(task, texts);
      second[1][changed]++;
      boolean isFree = changed / CELLS % 2 == 1;
      assertThat(loss(task, texts, 2, second))
          .isCloseTo(isFree ? 0 : 1.0 / (2 * CELLS), within(1e-6));
    }
  }

  /** Uniform weights over what the heads select, in two blocks of two heads. */
  private static float[][] selected(Rasp task, List<String> texts) {
    float[][] weights = new float[2][texts.size() * 2 * CELLS];
    for (int b = 0; b < texts.size(); b++) {
      for (SOp.Head head : task.language().sOp().selected(texts.get(b))) {
        for (int i = 0; i < LENGTH; i++) {
          BitSet keys = head.rows().get(i);
          int first = (2 * b + head.index()) * CELLS + i * LENGTH;
          float weight = 1.0f / keys.cardinality();
          keys.stream().forEach(j -> weights[head.layer()][first + j] = weight);
        }
      }
    }
    return weights;
  }

  /** Only a symbol that stands earlier too selects anything in the second head. */
  @Test
  void rowThatSelectsNothingIsFree() {
    Rasp task = task(RaspLanguage.MOST_FREQ, 1);
    List<String> texts = List.of("§abb");
    assertThat(task.language().sOp().selected(texts.get(0)).get(1).rows())
        .extracting(BitSet::cardinality)
        .containsExactly(0, 0, 0, 1);
    float[] zero = new float[2 * CELLS];
    float[] inFreeRow = zero.clone();
    inFreeRow[CELLS + 2 * LENGTH] = 1;
    assertThat(loss(task, texts, 2, inFreeRow, zero, zero))
        .isPositive()
        .isEqualTo(loss(task, texts, 2, zero, zero, zero));
  }

  /** The collector may free the Java buffers of arrays that the forward pass has closed. */
  @Test
  void theBackwardPassReadsMemoryOfTheEngine() {
    try (NDManager manager = NDManager.newBaseManager("PyTorch");
        GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      NDArray weights_BHnn = manager.zeros(new Shape(1, 1, LENGTH, LENGTH));
      weights_BHnn.setRequiresGradient(true);
      NDArray loss = lossOfClosedPass(weights_BHnn);
      overwriteFreedBuffers();
      collector.backward(loss);
      float[] gradient = weights_BHnn.getGradient().toFloatArray();
      for (int i = 0; i < CELLS; i++) {
        assertThat(gradient[i]).isCloseTo(-100 * 2 * SELECTED[i] / CELLS, within(1e-4f));
      }
    }
  }

  private static NDArray lossOfClosedPass(NDArray weights_BHnn) {
    try (NDManager pass = weights_BHnn.getManager().newSubManager()) {
      NDArray watched_BHnn = weights_BHnn.square().add(weights_BHnn);
      watched_BHnn.attach(pass);
      NDArray loss =
          new AttentionSupervision(HIST)
              .loss(tokens(HIST, ONE, pass), List.of(new Weights(0, 0, watched_BHnn)));
      loss.attach(weights_BHnn.getManager());
      return loss;
    }
  }

  private static void overwriteFreedBuffers() {
    for (int i = 0; i < 5; i++) {
      System.gc();
      for (int bytes = Float.BYTES; bytes <= 256; bytes += Float.BYTES) {
        ByteBuffer other = ByteBuffer.allocateDirect(bytes);
        while (other.hasRemaining()) {
          other.put((byte) -1);
        }
      }
    }
  }
}
