package org.lengthwise.bench;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import java.util.Map;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.PositionalValues;
import org.lengthwise.task.Task;
import org.lengthwise.task.Task.Batch;

/** The loss of an ALiBi model whose forward pass and loss are one TorchScript program. */
final class TorchScriptDecoder implements Task.Loss, AutoCloseable {
  private final KernelModule program;
  private final NDManager manager;
  private final NDArray slopes_H;
  private final NDList tensors = new NDList();

  /**
   * Loads the program.
   *
   * @param config the model's shape, whose scheme is ALiBi
   * @param isOptimized whether TorchScript's graph optimizer may rewrite the program
   */
  TorchScriptDecoder(ModelConfig config, Device device, boolean isOptimized) {
    this.program =
        KernelModule.load(
                KernelModule.source(TorchScriptDecoder.class, "decoder.py"),
                device,
                KernelModule.Target.of(device),
                isOptimized)
            .withGradient();
    this.manager = NDManager.newBaseManager(device, "PyTorch");
    PositionalValues none = new PositionalValues(config.heads(), config.headWidth(), Map.of());
    float[] rounded = new float[config.heads()];
    for (int h = 0; h < rounded.length; h++) {
      rounded[h] = (float) -config.position().bias(none, h, 0, 1, 1);
    }
    this.slopes_H = manager.create(rounded);
  }

  /**
   * Sets the weights, which the caller keeps and closes. Call it once, before the first loss. Each
   * tensor gets the name of the program's list parameter, so no other program may use the weights.
   */
  void use(Weights weights) {
    for (NDArray tensor : weights.tensors().values()) {
      tensor.setName("p[]");
      tensors.add(tensor);
    }
  }

  /** The mean negative log-likelihood of the targets. The model is not used. */
  @Override
  public NDArray of(LanguageModel model, Batch batch) {
    NDList inputs = new NDList(batch.tokens_BT(), batch.targets(), slopes_H);
    inputs.addAll(tensors);
    return program.run("loss", inputs).singletonOrThrow();
  }

  @Override
  public void close() {
    manager.close();
    program.close();
  }
}
