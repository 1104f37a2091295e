package org.lengthwise.measure;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.result.ModelState;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ImportedModel;
import org.lengthwise.training.device.Devices;

/** A model on a device, ready to run. */
public record LoadedModel(NDManager manager, Weights weights, LanguageModel model)
    implements AutoCloseable {
  private static final Logger LOG = LogManager.getLogger(LoadedModel.class);

  /**
   * Loads a model. Positions that its scheme draws depend on the seed of its run and on the length.
   *
   * @return the model; the caller closes it
   */
  public static LoadedModel of(
      MeasuredModel measured, ModelState state, Precision precision, String deviceName)
      throws IOException {
    Device device = Devices.of(deviceName);
    if (precision == Precision.BFLOAT16
        && measured.checkpoint().origin() instanceof ImportedModel imported
        && imported.source().isComputed()) {
      LOG.warn("{} is exact in float32: bfloat16 rounds its numbers to 8 bits", measured.name());
    }
    Weights weights = weights(measured.checkpoint(), state, device);
    NDManager manager = NDManager.newBaseManager(device, "PyTorch");
    LanguageModel model =
        LanguageModel.of(measured.model(), weights, precision)
            .withPositions(measured.checkpoint().origin().positionSeed());
    return new LoadedModel(manager, weights, model);
  }

  private static Weights weights(Checkpoint checkpoint, ModelState state, Device device)
      throws IOException {
    return switch (state) {
      case TRAINED -> checkpoint.weights(device);
      case UNTRAINED ->
          Weights.initialise(
              checkpoint.origin().model(), new RandomStreams(checkpoint.state().seed()), device);
    };
  }

  @Override
  public void close() {
    model.close();
    manager.close();
    weights.close();
  }
}
