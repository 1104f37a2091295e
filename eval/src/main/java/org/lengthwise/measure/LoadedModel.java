package org.lengthwise.measure;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.result.ModelState;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ImportedModel;
import org.lengthwise.training.device.Devices;

/**
 * A model on a device, ready to run.
 *
 * @param manager the parent of the managers of each pass, on the device
 * @param weights the model's weights
 * @param model the model
 */
public record LoadedModel(NDManager manager, Weights weights, LanguageModel model)
    implements AutoCloseable {
  private static final Logger LOG = LogManager.getLogger(LoadedModel.class);

  /**
   * Loads a model.
   *
   * @param measured the model
   * @param state the weights of the checkpoint, or the initial weights of its training
   * @param precision the format of the model's products
   * @param deviceName such as {@code cpu} or {@code gpu:0}
   * @return the model; the caller closes it
   * @throws IOException if the weights cannot be read
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
    return new LoadedModel(
        manager, weights, LanguageModel.of(measured.model(), weights, precision));
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

  /**
   * The batches of this model on its device.
   *
   * @param memoryLimitMegabytes as in {@link MeasurementSettings}
   * @return the plan
   */
  public BatchPlan plan(int memoryLimitMegabytes) {
    return BatchPlan.on(model.config(), memoryLimitMegabytes, manager.getDevice());
  }

  @Override
  public void close() {
    model.close();
    manager.close();
    weights.close();
  }

  /** Loads models for the cells of a measurement. One model is loaded at a time. */
  public static final class Loader implements AutoCloseable {
    private final MeasurementSettings settings;
    private @Nullable Key key;
    private @Nullable LoadedModel loaded;

    private record Key(MeasuredModel model, ModelState state) {}

    /**
     * A loader without a model.
     *
     * @param settings the precision and the device
     */
    public Loader(MeasurementSettings settings) {
      this.settings = settings;
    }

    /**
     * Loads a model, unless it is loaded already. The model that was loaded before is closed.
     *
     * @param model the model
     * @param state the trained or the untrained weights
     * @return the model, valid until the next call
     * @throws IOException if the weights cannot be read
     */
    public LoadedModel load(MeasuredModel model, ModelState state) throws IOException {
      Key wanted = new Key(model, state);
      if (loaded == null || !wanted.equals(key)) {
        close();
        loaded = LoadedModel.of(model, state, settings.precision(), settings.device());
        key = wanted;
      }
      return loaded;
    }

    @Override
    public void close() {
      if (loaded != null) {
        loaded.close();
        loaded = null;
      }
    }
  }
}
