package org.lengthwise.training.replica;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.config.StartConfig;
import org.lengthwise.training.optimizer.AdamW;

/** One device's copy of a model in training: its weights, the model, and the optimizer. */
public final class Replica implements AutoCloseable {
  private final OpenResources resources = new OpenResources();
  private final NDManager manager;
  private final Weights weights;
  private final LanguageModel model;
  private final RandomStreams streams;
  private final double dropout;
  private final AdamW optimizer;
  private final long updatesBefore;

  /** A copy at the beginning of a run or at one of its checkpoints. */
  public Replica(RunDescription run, @Nullable Checkpoint from, Device device, Numerics numerics)
      throws IOException {
    this.updatesBefore = run.config().stage().map(StartConfig::updatesBefore).orElse(0L);
    try {
      NDManager base = NDManager.newBaseManager(device, "PyTorch");
      this.manager = resources.add(base, base::close);
      Weights loaded =
          from == null
              ? Weights.initialise(run.model(), new RandomStreams(run.config().seed()), device)
              : from.weights(device);
      this.weights = resources.add(loaded, loaded::close);
      weights.requireGradients(run.config().optimizer()::trains);
      LanguageModel opened = LanguageModel.of(run.model(), weights, numerics);
      resources.add(opened, opened::close);
      this.model = opened.withPositions(run.positionSeed());
      this.streams = new RandomStreams(run.seed());
      this.dropout = run.config().model().dropout();
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

  /** {@return the owner of batches and of tensors that are computed from them} */
  public NDManager manager() {
    return manager;
  }

  public Weights weights() {
    return weights;
  }

  public LanguageModel model() {
    return model;
  }

  /**
   * {@return the model in a training step, whose positions and dropout do not depend on the number
   * of replicas}
   *
   * @param firstRow the place of its first sequence in the batch
   */
  LanguageModel model(long step, long firstRow) {
    LanguageModel drawn = model.withPositions(streams.seedOf("positions/" + step));
    return dropout == 0
        ? drawn
        : drawn.withDropout(dropout, streams.seedOf("dropout/" + step), firstRow);
  }

  /** Updates the weights in a step of the run. */
  void update(long step, double rate) {
    optimizer.update(updatesBefore + step, rate);
  }

  public AdamW optimizer() {
    return optimizer;
  }

  @Override
  public void close() {
    resources.close();
  }
}
