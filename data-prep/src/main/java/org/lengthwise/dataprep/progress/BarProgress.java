package org.lengthwise.dataprep.progress;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressState;

/** A line that redraws itself on a terminal. */
final class BarProgress implements Progress {
  private final ProgressBar bar;

  BarProgress(LogProgress.Task task) {
    bar =
        new ProgressBarBuilder()
            .setTaskName(task.name())
            .setInitialMax(task.total())
            .setUpdateIntervalMillis(500)
            .setRenderer((state, width) -> status(task, state).of(width))
            .build();
  }

  private static StatusLine status(LogProgress.Task task, ProgressState state) {
    return new StatusLine(
        task, state.getCurrent(), state.getElapsedAfterStart(), state.getExtraMessage());
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
