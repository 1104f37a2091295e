package org.lengthwise.progress;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import picocli.CommandLine;

/** Chooses how progress is shown: one line on a terminal, log lines elsewhere. */
public final class ProgressReporter {
  private static final Logger LOG = LogManager.getLogger(ProgressReporter.class);

  private ProgressReporter() {}

  /**
   * Starts to show the progress of some work.
   *
   * @param unit the counted unit, in the plural; bytes and tokens are shown in round numbers
   * @param total the total in this unit, or -1 if unknown
   */
  public static Progress start(String name, String unit, long total) {
    return start(new TrackedWork(name, unit, total, 0));
  }

  /** Starts to show the progress of a training run, in steps and in tokens per second. */
  public static Progress startSteps(String name, long steps, long tokensPerStep) {
    return start(new TrackedWork(name, "steps", steps, tokensPerStep));
  }

  private static Progress start(TrackedWork work) {
    // A line that is redrawn needs a terminal with control sequences, as colours do.
    return CommandLine.Help.Ansi.AUTO.enabled()
        ? new TerminalProgress(work)
        : new LogProgress(work, System::nanoTime, LOG::info);
  }

  private static final class TerminalProgress implements Progress {
    private final ProgressBar bar;

    TerminalProgress(TrackedWork work) {
      bar =
          new ProgressBarBuilder()
              .setTaskName(work.name())
              .setInitialMax(work.total())
              .setUpdateIntervalMillis(500)
              .setRenderer(
                  (state, width) ->
                      new StatusLine(
                              work,
                              state.getCurrent(),
                              state.getElapsedAfterStart(),
                              state.getExtraMessage())
                          .of(width))
              .build();
    }

    @Override
    public void advanceTo(long done) {
      bar.stepTo(done);
    }

    @Override
    public void message(String note) {
      bar.setExtraMessage(note);
    }

    @Override
    public void close() {
      bar.close();
    }
  }
}
