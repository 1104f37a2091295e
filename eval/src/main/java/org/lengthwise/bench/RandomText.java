package org.lengthwise.bench;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.function.BinaryOperator;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.random.RandomStreams;

/** Random tokens [B, T] with a random target for each, which models read without gradients. */
final class RandomText {
  private static final long SEED = 1;

  private final Device device;
  private final Shape shape_BT;
  private final long[] tokens;
  private final long[] targets;

  RandomText(Device device, int batch, int length, int vocabulary) {
    this.device = device;
    this.shape_BT = new Shape(batch, length);
    RandomStreams streams = new RandomStreams(SEED);
    this.tokens = streams.stream("tokens").longs(shape_BT.size(), 0, vocabulary).toArray();
    this.targets = streams.stream("targets").longs(shape_BT.size(), 0, vocabulary).toArray();
  }

  /**
   * Runs a pass. Reading its result waits for the device.
   *
   * @param nlls computes negative log-likelihoods of any shape from tokens [B, T] and targets [B,
   *     T]
   * @return their mean
   */
  double read(BinaryOperator<NDArray> nlls) {
    try (NDManager pass = NDManager.newBaseManager(device, "PyTorch")) {
      return nlls.apply(pass.create(tokens, shape_BT), pass.create(targets, shape_BT))
          .mean()
          .getFloat();
    }
  }

  /** The mean NLL of the last target, from what it depends on. */
  double last(LanguageModel model) {
    return read(
        (tokens_BT, targets_BT) ->
            model.nll(model.lastHidden(model.embed(tokens_BT)), last(targets_BT)));
  }

  double every(LanguageModel model) {
    return read((tokens_BT, targets_BT) -> everyNll(model, tokens_BT, targets_BT));
  }

  /** The NLL of every target [B T]. */
  static NDArray everyNll(LanguageModel model, NDArray tokens_BT, NDArray targets_BT) {
    NDArray x_BTd = model.hidden(model.embed(tokens_BT));
    NDArray x_Nd = x_BTd.reshape(-1, model.config().width());
    return model.nll(x_Nd, targets_BT.reshape(-1));
  }

  /** The last of each sequence: [B, ...] from [B, T, ...]. */
  static NDArray last(NDArray values_BT) {
    return values_BT.get(new NDIndex(":, -1"));
  }
}
