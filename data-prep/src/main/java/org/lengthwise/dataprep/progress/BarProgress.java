package org.lengthwise.dataprep.progress;

import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** A bar that redraws itself on a terminal. */
final class BarProgress implements Progress {
  private final ProgressBar bar;

  BarProgress(String task, String unit, long total) {
    bar =
        new ProgressBarBuilder()
            .setTaskName(task)
            .setInitialMax(total)
            .setUnit(" " + unit, 1)
            .setStyle(ProgressBarStyle.ASCII)
            .setUpdateIntervalMillis(500)
            .showSpeed()
            .build();
  }

  @Override
  public void advanceTo(long done) {
    bar.stepTo(done);
  }

  @Override
  public void message(String note) {
    bar.setExtraMessage(" " + note);
  }

  @Override
  public void close() {
    bar.close();
  }
}
