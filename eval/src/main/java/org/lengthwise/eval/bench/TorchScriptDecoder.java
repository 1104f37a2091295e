package org.lengthwise.eval.bench;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.kernel.KernelModule;
import org.lengthwise.training.model.ModelConfig;
import org.lengthwise.training.model.Weights;

/** An ALiBi model whose forward pass and loss are one TorchScript program. */
final class TorchScriptDecoder implements AutoCloseable {
  private final KernelModule program;
  private final NDManager manager;
  private final NDArray slopes_H;
  private final NDList listed = new NDList();

  /**
   * A model over weights that the caller keeps and closes, and gives to nobody else: their tensors
   * get the name that makes them elements of the program's list.
   *
   * @param config the model's shape, whose scheme is ALiBi
   * @param weights its tensors
   * @param isOptimized whether TorchScript's graph optimiser may rewrite the program
   */
  TorchScriptDecoder(ModelConfig config, Weights weights, boolean isOptimized) {
    this.program =
        KernelModule.load(TorchScriptDecoder.class, "decoder.py", weights.device(), isOptimized);
    this.manager = NDManager.newBaseManager(weights.device(), "PyTorch");
    double[] slopes = Alibi.slopes(config.heads());
    float[] rounded = new float[slopes.length];
    for (int h = 0; h < slopes.length; h++) {
      rounded[h] = (float) slopes[h];
    }
    this.slopes_H = manager.create(rounded);
    for (NDArray tensor : weights.tensors().values()) {
      tensor.setName("p[]");
      listed.add(tensor);
    }
  }

  /**
   * The mean negative log-likelihood of targets, with its graph.
   *
   * @param tokens_BT inputs, int64
   * @param targets_BT the token that follows each input, int64
   * @return a scalar in nats
   */
  NDArray loss(NDArray tokens_BT, NDArray targets_BT) {
    NDList inputs = new NDList(tokens_BT, targets_BT, slopes_H);
    inputs.addAll(listed);
    return program.run("loss", true, inputs).singletonOrThrow();
  }

  @Override
  public void close() {
    manager.close();
    program.close();
  }
}
