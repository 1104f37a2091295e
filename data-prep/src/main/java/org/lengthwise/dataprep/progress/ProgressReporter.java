package org.lengthwise.dataprep.progress;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import picocli.CommandLine;

/** Starts the kind of progress report that fits where the output goes. */
public final class ProgressReporter {
  private static final Logger LOG = LogManager.getLogger(ProgressReporter.class);

  private ProgressReporter() {}

  /**
   * Starts reporting on a task: a line with rate and time left on a terminal, log lines elsewhere.
   *
   * @param task what is being done, in a few words
   * @param unit what is counted, in the plural
   * @param total the amount at which the task is done, or -1 when nobody knows
   * @return the report, to be closed when the task ends
   */
  public static Progress start(String task, String unit, long total) {
    // A bar needs what colours need: a terminal that obeys control sequences, on every release of
    // Java.
    LogProgress.Task told = new LogProgress.Task(task, unit, total);
    return CommandLine.Help.Ansi.AUTO.enabled()
        ? new BarProgress(told)
        : new LogProgress(told, System::nanoTime, LOG::info);
  }
}
