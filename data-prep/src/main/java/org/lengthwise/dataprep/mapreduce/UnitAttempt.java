package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.MapContext;
import org.lengthwise.dataprep.source.PartReader;
import org.lengthwise.dataprep.storage.HadoopStorage;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/**
 * A task attempt at a unit.
 *
 * <p>A retry does not help against bad data. So an attempt that finds bad data stores the failure
 * for the driver and succeeds, and Hadoop does not retry. If a file cannot be read, the attempt
 * fails and Hadoop retries, because the next attempt may find another replica. That failure is
 * stored too, in case no attempt succeeds.
 */
final class UnitAttempt {

  @FunctionalInterface
  interface Action {
    void run(WorkUnit unit, TaskSettings settings, PartReader reader) throws IOException;
  }

  private UnitAttempt() {}

  static void run(UnitInputFormat.Reading reading, MapContext<?, ?, ?, ?> context, Action action)
      throws IOException {
    TaskSettings settings = TaskSettings.of(context.getConfiguration());
    PartReader reader =
        new PartReader(
            new HadoopStorage(context.getConfiguration()),
            settings.settings().reading(),
            bytes -> {
              reading.bytesRead().addAndGet(bytes);
              context.getCounter(PreparationCounter.INPUT_BYTES).increment(bytes);
              context.progress();
            });
    try {
      action.run(reading.unit(), settings, reader);
    } catch (DataFormatException | ConfigException e) {
      boolean isRetried = e.getCause() instanceof IOException;
      FileSystem fileSystem = settings.workspace().fileSystem(context.getConfiguration());
      String attempt = context.getTaskAttemptID().toString();
      JobWorkspace workspace = settings.workspace();
      UnitFailure.of(e)
          .write(
              fileSystem,
              isRetried ? workspace.unreadable() : workspace.failures(),
              reading.unit(),
              attempt);
      if (isRetried) {
        throw e;
      }
      context.getCounter(PreparationCounter.UNITS_WITH_BAD_DATA).increment(1);
    }
  }
}
