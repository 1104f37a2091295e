package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.mapreduce.MapContext;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.source.PartReader;
import org.lengthwise.dataprep.storage.HadoopStorage;

/**
 * An attempt at a unit.
 *
 * <p>Bad data does not get better by trying again, so a task that meets some notes it for the
 * driver and ends well, which is what keeps Hadoop from trying again. A file that cannot be read is
 * tried again first: the next attempt may find another replica.
 */
final class UnitAttempt {

  /** What is done with a unit. */
  @FunctionalInterface
  interface Work {
    void run(WorkUnit unit, TaskSettings settings, PartReader reader) throws IOException;
  }

  private UnitAttempt() {}

  static void run(UnitReader.Reading reading, MapContext<?, ?, ?, ?> context, Work work)
      throws IOException {
    TaskSettings settings = TaskSettings.of(context.getConfiguration());
    PartReader reader =
        new PartReader(
            new HadoopStorage(context.getConfiguration()),
            step -> {
              reading.bytesRead().addAndGet(step);
              context.getCounter(PreparationCounter.INPUT_BYTES).increment(step);
              context.progress();
            });
    try {
      work.run(reading.unit(), settings, reader);
    } catch (DataFormatException | ConfigException e) {
      if (mayPass(e, context)) {
        throw e;
      }
      FileSystem fileSystem = settings.workspace().fileSystem(context.getConfiguration());
      String attempt = context.getTaskAttemptID().toString();
      UnitFailure.of(e).write(fileSystem, settings.workspace(), reading.unit(), attempt);
      context.getCounter(PreparationCounter.UNITS_WITH_BAD_DATA).increment(1);
    }
  }

  /** Whether another attempt is left and might do better. */
  private static boolean mayPass(RuntimeException failure, MapContext<?, ?, ?, ?> context) {
    int attempt = context.getTaskAttemptID().getId() + 1;
    return failure.getCause() instanceof IOException && attempt < context.getMaxMapAttempts();
  }
}
