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
import org.lengthwise.progress.Progress;
import org.lengthwise.progress.ProgressReporter;

/** Runs a job, and kills it as soon as it cannot succeed any more. */
final class JobWatch {

  private static final Logger LOG = LogManager.getLogger(JobWatch.class);

  private static final long INTERVAL_MILLIS = 500;

  /** The longest wait for the end of a killed job. */
  private static final int LONGEST_END_SECONDS = 60;

  /**
   * The work of a job, the counter of the bytes that it has read, and the number of bytes to read.
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

  /** Runs the job; returns whether all tasks succeeded and none found bad data. */
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
      throw new IllegalStateException("a class of the job is missing", e);
    } finally {
      if (mayStillRun) {
        mayStillRun = !killed();
      }
      forget(killer);
    }
  }

  /**
   * Whether this process did not see the end of the job. Then tasks may still write to the
   * workspace.
   */
  boolean mayStillRun() {
    return mayStillRun;
  }

  /** Kills the job and waits; returns whether the job has ended. */
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
      LOG.warn("the state of job {} cannot be read", job.getJobID(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return false;
  }

  private static void forget(Thread killer) {
    try {
      Runtime.getRuntime().removeShutdownHook(killer);
    } catch (IllegalStateException e) {
      LOG.debug("this process is already ending, and its shutdown hook kills the job", e);
    }
  }

  long rejects() {
    return rejects;
  }

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
      return false; // the job is new, or its application master restarts
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
      LOG.warn("could not kill job {}; kill it on the cluster", job.getJobID(), e);
    }
  }
}
