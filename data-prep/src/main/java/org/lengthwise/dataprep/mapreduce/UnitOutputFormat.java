package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskInputOutputContext;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;

/** Gives tasks a folder that is committed by the file system's committer; files are theirs. */
final class UnitOutputFormat extends FileOutputFormat<NullWritable, NullWritable> {

  /** For Hadoop, which makes it by reflection. */
  UnitOutputFormat() {}

  /** The folder of this attempt, to be promoted or removed as a whole. */
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
