package org.lengthwise.measure;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lengthwise.result.ModelState;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.device.Devices;

/** A measurement of checkpoints on one device. One model is loaded at a time. */
public abstract class CheckpointMeasurement<C> implements Measurement<C>, AutoCloseable {
  private final List<Checkpoint> checkpoints;
  private final MeasurementSettings settings;
  private final List<C> cells;
  private @Nullable Key key;
  private @Nullable LoadedModel loaded;

  private record Key(MeasuredModel model, ModelState state) {}

  protected CheckpointMeasurement(
      List<Checkpoint> checkpoints, MeasurementSettings settings, List<C> cells) {
    this.checkpoints = checkpoints;
    this.settings = settings;
    this.cells = cells;
  }

  /** Measures into a results folder, as {@link MeasurementFolder#complete} describes. */
  public final void complete(Path output, BooleanSupplier stopRequested) throws IOException {
    new MeasurementFolder<>(this, output, stopRequested).complete();
  }

  /**
   * All values that decide the numbers.
   *
   * @param own the values of this kind of measurement, written on the same level as the others
   * @param tf32 whether products in float32 were TF32; the key is absent if they were not
   */
  private record Description(
      List<MeasurementFile.Subject> checkpoints,
      @JsonUnwrapped Record own,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) boolean tf32) {}

  @Override
  public final Record description() {
    return new Description(
        checkpoints.stream().map(MeasurementFile.Subject::of).toList(),
        ownDescription(),
        settings.usesTf32());
  }

  /** {@return the values that decide the numbers beside the checkpoints; Jackson can write them} */
  protected abstract Record ownDescription();

  @Override
  public final List<C> cells() {
    return cells;
  }

  /** {@return the cells that have a result} */
  protected final <R> Set<C> finished(List<R> results, BiPredicate<C, R> isOf) {
    return cells.stream()
        .filter(cell -> results.stream().anyMatch(result -> isOf.test(cell, result)))
        .collect(Collectors.toSet());
  }

  @Override
  public void requireFeasible() throws IOException {
    Devices.of(settings.device());
  }

  /**
   * Loads a model, unless it is loaded already. The model that was loaded before is closed.
   *
   * @return the model, valid until the next call
   */
  protected final LoadedModel load(MeasuredModel model, ModelState state) throws IOException {
    Key wanted = new Key(model, state);
    if (loaded == null || !wanted.equals(key)) {
      unload();
      loaded = LoadedModel.of(model, state, settings.precision(), settings.device());
      key = wanted;
    }
    return loaded;
  }

  protected final BatchPlan plan(LoadedModel model) {
    return BatchPlan.on(
        model.model().config(), settings.memoryLimitMegabytes(), model.manager().getDevice());
  }

  private void unload() {
    if (loaded != null) {
      loaded.close();
      loaded = null;
    }
  }

  @Override
  public void close() {
    unload();
  }
}
