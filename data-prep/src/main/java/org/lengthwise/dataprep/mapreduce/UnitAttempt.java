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
 * Hadoop's to try again, since the next attempt may find another replica; what was wrong is noted
 * for the case that none does.
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
      boolean mayPass = e.getCause() instanceof IOException;
      FileSystem fileSystem = settings.workspace().fileSystem(context.getConfiguration());
      String attempt = context.getTaskAttemptID().toString();
      JobWorkspace workspace = settings.workspace();
      UnitFailure.of(e)
          .write(
              fileSystem,
              mayPass ? workspace.unreadable() : workspace.failures(),
              reading.unit(),
              attempt);
      if (mayPass) {
        throw e;
      }
      context.getCounter(PreparationCounter.UNITS_WITH_BAD_DATA).increment(1);
    }
  }
}
