package org.lengthwise.dataprep.prepare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Supplier;
import org.lengthwise.dataprep.progress.Progress;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.source.Place;
import org.lengthwise.dataprep.source.ReadingListener;

/** Sets checkpoints between documents when they are due, and shows how far the reading is. */
final class CheckpointingListener implements ReadingListener {

  private final Attempt attempt;
  private final OrderedWorkers workers;
  private final CheckpointSchedule schedule;
  private final Progress progress;

  CheckpointingListener(
      Attempt attempt, OrderedWorkers workers, CheckpointSchedule schedule, Progress progress) {
    this.attempt = attempt;
    this.workers = workers;
    this.schedule = schedule;
    this.progress = progress;
  }

  @Override
  public void bytesRead(long total) {
    progress.advanceTo(total);
  }

  @Override
  public void documentRead(Supplier<Place> place) {
    if (!schedule.isDue()) {
      return;
    }
    long begin = schedule.now(); // waiting for the workers is part of a checkpoint's cost
    workers.finish(); // so that the output holds every document before the place
    try {
      attempt.setCheckpoint(place.get());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    schedule.ended(begin);
  }

  @Override
  public void fileRead(InputEntry entry) {
    try {
      attempt.inputs().add(entry);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
