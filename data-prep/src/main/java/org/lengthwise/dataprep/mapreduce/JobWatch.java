package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCompletionEvent;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.progress.Progress;
import org.lengthwise.dataprep.progress.ProgressReporter;

/** Runs a job to its end, or ends it as soon as it is clear that it will come to nothing. */
final class JobWatch {

  private static final Logger LOG = LogManager.getLogger(JobWatch.class);

  private static final long INTERVAL_MILLIS = 500;

  /** How long a killed job is waited for. */
  private static final int LONGEST_END_SECONDS = 60;

  /**
   * What a job does, as far as its progress is concerned.
   *
   * @param task what it does, in a few words
   * @param bytesRead the counter of what it has read
   * @param numBytes how much input there is
   */
  record Stage(String task, Enum<?> bytesRead, long numBytes) {}

  private final Job job;
  private final Stage stage;
  private final int rejectLimit;
  private long rejects;
  private boolean mayStillRun;

  JobWatch(Job job, Stage stage, int rejectLimit) {
    this.job = job;
    this.stage = stage;
    this.rejectLimit = rejectLimit;
  }

  /**
   * Runs the job.
   *
   * @return whether every task ended well and none met bad data
   */
  boolean run() throws IOException {
    Thread killer = new Thread(this::kill, "kill-job");
    Runtime.getRuntime().addShutdownHook(killer);
    try (Progress progress = ProgressReporter.start(stage.task(), "bytes", stage.numBytes())) {
      job.submit();
      mayStillRun = true;
      LOG.info("job {}: {}", job.getJobID(), job.getTrackingURL());
      while (!job.isComplete()) {
        if (isHopeless(progress)) {
          return false;
        }
        TimeUnit.MILLISECONDS.sleep(INTERVAL_MILLIS);
      }
      mayStillRun = false;
      progress.advanceTo(stage.numBytes());
      return job.isSuccessful();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while waiting for job " + job.getJobID(), e);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("a class of the job's own is missing", e);
    } finally {
      if (mayStillRun) {
        mayStillRun = !killed();
      }
      forget(killer);
    }
  }

  /** Whether the job could not be seen to end: its tasks may go on writing into the workspace. */
  boolean mayStillRun() {
    return mayStillRun;
  }

  /** Kills the job and waits for its end; tells whether that came. */
  private boolean killed() {
    kill();
    try {
      for (int waited = 0; waited < LONGEST_END_SECONDS; waited++) {
        if (job.isComplete()) {
          return true;
        }
        TimeUnit.SECONDS.sleep(1);
      }
    } catch (IOException e) {
      LOG.warn("job {} cannot be asked whether it has ended", job.getJobID(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private static void forget(Thread killer) {
    try {
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (IllegalStateException e) {
      LOG.debug("this process is ending already, and kills the job on its way", e);
    }
  }

  /** How many records had been set aside when the job was looked at last. */
  long rejects() {
    return rejects;
  }

  /** What the cluster says of a job that failed. */
  String diagnosis() throws IOException {
    List<String> parts = new ArrayList<>();
    parts.add("job " + job.getJobID() + " failed, see " + job.getTrackingURL());
    Optional<TaskCompletionEvent> failed = firstFailedTask();
    try {
      if (failed.isPresent()) {
        parts.addAll(List.of(job.getTaskDiagnostics(failed.get().getTaskAttemptId())));
      }
      parts.add(String.valueOf(job.getStatus().getFailureInfo()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return String.join("\n", parts);
  }

  private Optional<TaskCompletionEvent> firstFailedTask() throws IOException {
    int from = 0;
    TaskCompletionEvent[] events = job.getTaskCompletionEvents(from);
    while (events.length > 0) {
      for (TaskCompletionEvent event : events) {
        if (event.getStatus() == TaskCompletionEvent.Status.FAILED
            || event.getStatus() == TaskCompletionEvent.Status.TIPFAILED) {
          return Optional.of(event);
        }
      }
      from += events.length;
      events = job.getTaskCompletionEvents(from);
    }
    return Optional.empty();
  }

  private boolean isHopeless(Progress progress) throws IOException {
    Counters counters = job.getCounters();
    if (counters == null) {
      return false; // the job is too young, or its master is being started anew
    }
    progress.advanceTo(counters.findCounter(stage.bytesRead()).getValue());
    rejects = counters.findCounter(PreparationCounter.REJECTS).getValue();
    return rejects > rejectLimit
        || counters.findCounter(PreparationCounter.UNITS_WITH_BAD_DATA).getValue() > 0;
  }

  private void kill() {
    try {
      job.killJob();
    } catch (IOException | IllegalStateException e) {
      LOG.warn("could not kill job {}; do so on the cluster", job.getJobID(), e);
    }
  }
}
