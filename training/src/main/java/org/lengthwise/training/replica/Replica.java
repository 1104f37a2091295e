package org.lengthwise.training.replica;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.lengthwise.training.RandomStreams;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.model.Decoder;
import org.lengthwise.training.model.Weights;
import org.lengthwise.training.optimizer.AdamW;

/** One device's copy of a model in training: weights, the decoder over them, their optimiser. */
public final class Replica implements AutoCloseable {
  private final OpenResources resources = new OpenResources();
  private final NDManager manager;
  private final Weights weights;
  private final Decoder decoder;
  private final AdamW optimizer;

  /**
   * A copy at the beginning of a run, or at one of its checkpoints.
   *
   * @param run what is trained
   * @param from the checkpoint to go on from, or null to begin
   * @param device where the copy lives
   * @throws IOException if the checkpoint cannot be read
   */
  public Replica(RunDescription run, @Nullable Checkpoint from, Device device) throws IOException {
    try {
      NDManager base = NDManager.newBaseManager(device, "PyTorch");
      this.manager = resources.add(base, base::close);
      Weights loaded =
          from == null
              ? Weights.initialise(run.model(), new RandomStreams(run.config().seed()), device)
              : from.weights(device);
      this.weights = resources.add(loaded, loaded::close);
      weights.requireGradients();
      Decoder model = new Decoder(run.model(), weights, run.config().training().precision());
      this.decoder = resources.add(model, model::close);
      AdamW adamW = new AdamW(run.config().optimizer(), weights);
      this.optimizer = resources.add(adamW, adamW::close);
      if (from != null) {
        from.restore(optimizer);
      }
    } catch (IOException | RuntimeException e) {
      resources.close();
      throw e;
    }
  }

  /**
   * Where batches and what is computed from them live.
   *
   * @return the manager, owned by this replica
   */
  public NDManager manager() {
    return manager;
  }

  /**
   * The weights.
   *
   * @return the tensors, owned by this replica
   */
  public Weights weights() {
    return weights;
  }

  /**
   * The model over the weights.
   *
   * @return the decoder, owned by this replica
   */
  public Decoder decoder() {
    return decoder;
  }

  /**
   * The optimiser of the weights.
   *
   * @return the optimiser, owned by this replica
   */
  public AdamW optimizer() {
    return optimizer;
  }

  @Override
  public void close() {
    resources.close();
  }
}
