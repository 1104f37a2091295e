package org.lengthwise.eval.bench;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import java.util.function.Consumer;
import org.lengthwise.positional.attention.Attention;

/**
 * Attention of one block, once at each level, over tensors that all forms share: forward, or
 * forward and backward from the sum of what was attended.
 *
 * @param leaves queries, keys and values [1, T, 3d], then learnable numbers
 * @param levels how often a pass attends
 * @param recordsGradient whether a pass goes backward too, to all leaves
 */
record AttentionPass(NDList leaves, int levels, boolean recordsGradient) {

  /** A way to attend. */
  @FunctionalInterface
  interface Form {
    /** Prepares what a pass shares, owned by the pass's manager. */
    Attention begin(NDList leaves, NDManager pass);
  }

  /** One pass; returns a number of what it made last, for which it waits. */
  double run(Form form) {
    NDArray qkv_1T3d = leaves.get(0);
    try (NDManager pass = qkv_1T3d.getManager().newSubManager()) {
      double[] first = new double[1];
      attend(form, leaves, pass, out -> first[0] = out.getFloat(0, 0, 0)); // waits for the device
      if (recordsGradient) {
        NDArray gradient = qkv_1T3d.getGradient();
        gradient.attach(pass);
        return gradient.getFloat(0, 0, 0);
      }
      return first[0];
    }
  }

  private void attend(Form form, NDList on, NDManager pass, Consumer<NDArray> taker) {
    if (!recordsGradient) {
      forward(form, on, pass, taker);
      return;
    }
    try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      forward(
          form,
          on,
          pass,
          out -> {
            collector.backward(out.sum());
            taker.accept(out);
          });
    }
  }

  private void forward(Form form, NDList on, NDManager pass, Consumer<NDArray> taker) {
    Attention attention = form.begin(on, pass);
    for (int level = 0; level < levels; level++) {
      try (NDArray out = attention.attend(on.get(0), 0, level)) {
        out.attach(pass);
        taker.accept(out);
      }
    }
  }

  /**
   * How far apart two forms are in all attended values and, where they are recorded, all gradients.
   *
   * @return the largest absolute difference in any tensor, measured by the largest number of the
   *     plainer form's tensor where that exceeds 1
   */
  double difference(Form own, Form plainer) {
    try (NDManager manager = leaves.get(0).getManager().newSubManager()) {
      NDList found = results(own, manager);
      NDList expected = results(plainer, manager);
      double largest = 0;
      for (int i = 0; i < found.size(); i++) {
        double apart = largest(found.get(i).sub(expected.get(i)));
        largest = Math.max(largest, apart / Math.max(1, largest(expected.get(i))));
      }
      return largest;
    }
  }

  private static double largest(NDArray values) {
    return values.abs().max().getFloat();
  }

  /** The results of one pass over copies, for gradients add up where a tensor is used again. */
  private NDList results(Form form, NDManager owner) {
    NDList copies = new NDList();
    for (NDArray leaf : leaves) {
      NDArray detached = leaf.stopGradient();
      detached.attach(owner);
      NDArray copy = detached.duplicate();
      copy.setRequiresGradient(recordsGradient);
      copies.add(copy);
    }
    NDList results = new NDList();
    attend(
        form,
        copies,
        owner,
        out -> {
          NDArray detached = out.stopGradient();
          detached.attach(owner);
          results.add(detached.duplicate());
        });
    if (recordsGradient) {
      for (NDArray copy : copies) {
        NDArray gradient = copy.getGradient();
        gradient.attach(owner);
        results.add(gradient);
      }
    }
    return results;
  }
}
