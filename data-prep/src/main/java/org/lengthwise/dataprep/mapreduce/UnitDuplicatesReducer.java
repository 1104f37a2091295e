package org.lengthwise.dataprep.mapreduce;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.jspecify.annotations.Nullable;

/** Writes sorted positions to a file for each unit, which {@link UnitDuplicates} reads. */
final class UnitDuplicatesReducer
    extends Reducer<BytesWritable, NullWritable, NullWritable, NullWritable> {

  private int unit;
  private @Nullable DataOutputStream out;

  @Override
  protected void reduce(BytesWritable key, Iterable<NullWritable> nothing, Context context)
      throws IOException {
    Position position = Position.of(key);
    if (out == null || position.unit() != unit) {
      cleanup(context);
      unit = position.unit();
      out = create(unit, context);
    }
    out.writeLong(position.ordinal());
  }

  private static DataOutputStream create(int unit, Context context) throws IOException {
    Path file = new Path(UnitOutputFormat.attemptFolder(context), WorkUnit.fileName(unit));
    return new DataOutputStream(
        new BufferedOutputStream(
            file.getFileSystem(context.getConfiguration()).create(file, true)));
  }

  @Override
  protected void cleanup(Context context) throws IOException {
    if (out != null) {
      out.close();
      out = null;
    }
  }

  static final class UnitPartitioner extends Partitioner<BytesWritable, NullWritable> {

    @Override
    public int getPartition(BytesWritable position, NullWritable nothing, int numPartitions) {
      return Position.of(position).unit() % numPartitions;
    }
  }
}
