package org.lengthwise.bench;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import java.util.function.Consumer;
import org.lengthwise.positional.attention.Attention;

/**
 * A pass through the attention of one block, once for each level. It is a forward pass, or a
 * forward and backward pass from the sum of the attended values. All variants share the tensors.
 *
 * @param leaves queries, keys and values [1, T, 3d], then the scheme's parameters
 */
record AttentionPass(NDList leaves, int levels, boolean withGradient) {

  @FunctionalInterface
  interface Setup {
    /** Prepares attention for a pass. The pass's manager owns the shared tensors. */
    Attention begin(NDList leaves, NDManager pass);
  }

  /** Runs one pass. Reads one number of its last result, so that the device has finished. */
  double run(Setup setup) {
    NDArray qkv_1T3d = leaves.get(0);
    try (NDManager pass = qkv_1T3d.getManager().newSubManager()) {
      double[] first = new double[1];
      attend(setup, leaves, pass, out -> first[0] = out.getFloat(0, 0, 0)); // waits for the device
      if (withGradient) {
        NDArray gradient = qkv_1T3d.getGradient();
        gradient.attach(pass);
        return gradient.getFloat(0, 0, 0);
      }
      return first[0];
    }
  }

  private void attend(Setup setup, NDList on, NDManager pass, Consumer<NDArray> taker) {
    try (GradientCollector collector =
        withGradient ? Engine.getEngine("PyTorch").newGradientCollector() : null) {
      Attention attention = setup.begin(on, pass);
      for (int level = 0; level < levels; level++) {
        try (NDArray out = attention.attend(on.get(0), 0, level)) {
          out.attach(pass);
          if (collector != null) {
            collector.backward(out.sum());
          }
          taker.accept(out);
        }
      }
    }
  }

  /**
   * {@return the largest absolute difference between two variants in any attended value or
   * gradient, divided by the largest absolute number of the plainer variant's tensor if that
   * exceeds 1}
   */
  double difference(Setup own, Setup plainer) {
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

  /**
   * The values of each level, then the gradients, of one pass over copies: gradients of a tensor
   * that is used again add up.
   */
  NDList results(Setup setup, NDManager owner) {
    NDList copies = new NDList();
    for (NDArray leaf : leaves) {
      NDArray detached = leaf.stopGradient();
      detached.attach(owner);
      NDArray copy = detached.duplicate();
      copy.setRequiresGradient(withGradient);
      copies.add(copy);
    }
    NDList results = new NDList();
    attend(
        setup,
        copies,
        owner,
        out -> {
          NDArray detached = out.stopGradient();
          detached.attach(owner);
          results.add(detached.duplicate());
        });
    if (withGradient) {
      for (NDArray copy : copies) {
        NDArray gradient = copy.getGradient();
        gradient.attach(owner);
        results.add(gradient);
      }
    }
    return results;
  }
}
