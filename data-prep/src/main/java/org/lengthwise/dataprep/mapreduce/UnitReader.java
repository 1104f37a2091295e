package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.jspecify.annotations.Nullable;

/** Hands a task its unit, as one record, and tells Hadoop how far the task is with it. */
final class UnitReader extends RecordReader<NullWritable, UnitReader.Reading> {

  /**
   * A unit that is being read.
   *
   * @param unit what is read
   * @param bytesRead how much of it was read so far, kept by the task
   */
  record Reading(WorkUnit unit, AtomicLong bytesRead) {}

  private @Nullable Reading reading;
  private boolean handedOut;

  @Override
  public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
    reading = new Reading(((UnitSplit) split).unit(), new AtomicLong());
  }

  @Override
  public boolean nextKeyValue() {
    boolean first = !handedOut;
    handedOut = true;
    return first;
  }

  @Override
  public NullWritable getCurrentKey() {
    return NullWritable.get();
  }

  @Override
  public @Nullable Reading getCurrentValue() {
    return reading;
  }

  @Override
  public float getProgress() {
    if (reading == null || reading.unit().numBytes() == 0) {
      return 0;
    }
    return Math.min(1, (float) reading.bytesRead().get() / reading.unit().numBytes());
  }

  @Override
  public void close() {}
}
