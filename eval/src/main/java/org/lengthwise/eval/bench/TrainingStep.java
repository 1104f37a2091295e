package org.lengthwise.eval.bench;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import java.util.function.BinaryOperator;
import org.lengthwise.positional.kernel.EngineMemory;
import org.lengthwise.training.RandomStreams;
import org.lengthwise.training.data.Batch;
import org.lengthwise.training.data.Windows;
import org.lengthwise.training.model.Weights;
import org.lengthwise.training.optimizer.AdamW;

/**
 * Training steps one after the other, as the step loop makes them: a batch read, forward, backward,
 * clip, update.
 */
final class TrainingStep implements AutoCloseable {
  private static final long SEED = 1;
  private static final int NUM_TOKENS = 1 << 20;

  private final TrainingSizes sizes;
  private final Windows windows;
  private final NDManager manager;
  private final AdamW optimizer;
  private final BinaryOperator<NDArray> loss;
  private long step;

  /**
   * Steps over weights that the caller keeps and closes.
   *
   * @param sizes the sizes
   * @param weights what is trained; the same seed and the same steps give the same weights
   * @param loss makes the mean loss of a batch, with its graph, from its tokens and targets
   */
  TrainingStep(TrainingSizes sizes, Weights weights, BinaryOperator<NDArray> loss) {
    this.sizes = sizes;
    this.loss = loss;
    int vocabulary = sizes.model().vocabulary();
    int[] tokens =
        new RandomStreams(SEED).stream("tokens").ints(NUM_TOKENS, 0, vocabulary).toArray();
    this.windows = new Windows(new RandomTokens(tokens), sizes.length(), "random");
    this.manager = NDManager.newBaseManager(weights.device(), "PyTorch");
    this.optimizer = new AdamW(sizes.optimizer(), weights);
  }

  /** Fresh weights that ask for gradients. */
  static Weights weights(TrainingSizes sizes, Device device) {
    Weights weights = Weights.initialise(sizes.model(), new RandomStreams(SEED), device);
    weights.requireGradients();
    return weights;
  }

  /** Makes the next step and returns its loss. */
  double next() {
    double value = accumulate();
    float norm = optimizer.clip();
    step++;
    optimizer.update(step, sizes.optimizer().learningRate());
    if (!Double.isFinite(value) || !Float.isFinite(norm)) {
      throw new IllegalStateException("step " + step + " has loss " + value + ", norm " + norm);
    }
    return value;
  }

  /** Runs the next batch forward and backward, and returns its mean loss. */
  private double accumulate() {
    int numMicros = sizes.batch() / sizes.microBatch();
    double sum = 0;
    try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      for (int i = 0; i < numMicros; i++) {
        long first = step * sizes.batch() + (long) i * sizes.microBatch();
        try (NDManager pass = manager.newSubManager()) {
          Batch batch =
              windows.read(sizes.microBatch(), b -> (first + b) % windows.numWindows()).on(pass);
          NDArray mean = loss.apply(batch.tokens_BT(), batch.targets_BT());
          collector.backward(mean.div(EngineMemory.scalar(pass, numMicros)));
          sum += mean.getFloat();
        }
      }
    }
    return sum / numMicros;
  }

  @Override
  public void close() {
    optimizer.close();
    manager.close();
  }
}
