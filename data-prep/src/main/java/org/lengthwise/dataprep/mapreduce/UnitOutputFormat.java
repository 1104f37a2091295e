package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;

/** Gives each attempt a folder for its files, which the file system's committer commits. */
final class UnitOutputFormat extends FileOutputFormat<NullWritable, NullWritable> {

  /** The folder of this attempt. The committer moves it to the output or removes it, as a whole. */
  static Path attemptFolder(TaskInputOutputContext<?, ?, ?, ?> context) throws IOException {
    return ((PathOutputCommitter) context.getOutputCommitter()).getWorkPath();
  }

  @Override
  public RecordWriter<NullWritable, NullWritable> getRecordWriter(TaskAttemptContext context) {
    return new RecordWriter<>() {
      @Override
      public void write(NullWritable key, NullWritable value) {
        throw new UnsupportedOperationException("a task writes files, not records");
      }

      @Override
      public void close(TaskAttemptContext attempt) {}
    };
  }
}
