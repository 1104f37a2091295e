package org.lengthwise.dataprep.mapreduce;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Partitioner;
import org.apache.hadoop.mapreduce.Reducer;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.prepare.PartPreparation;

/**
 * The documents of a unit whose text occurred before, from a file of ascending ordinals of eight
 * bytes. Only one ordinal is in memory, so callers must query documents in ascending order.
 */
final class UnitDuplicates implements PartPreparation.Duplicates, Closeable {

  private final DataInputStream in;
  private long numUnread;
  private long next;

  private UnitDuplicates(InputStream in, long count) throws IOException {
    this.in = new DataInputStream(new BufferedInputStream(in));
    numUnread = count;
    next = read();
  }

  /** Opens a unit's file. A unit without a file has no duplicates. */
  static UnitDuplicates read(FileSystem fileSystem, Path file) throws IOException {
    try {
      long count = fileSystem.getFileStatus(file).getLen() / Long.BYTES;
      return new UnitDuplicates(fileSystem.open(file), count);
    } catch (FileNotFoundException e) {
      return new UnitDuplicates(InputStream.nullInputStream(), 0);
    }
  }

  @Override
  public boolean contains(long ordinal) throws IOException {
    if (ordinal != next) {
      return false;
    }
    next = read();
    return true;
  }

  private long read() throws IOException {
    if (numUnread == 0) {
      return -1;
    }
    numUnread--;
    return in.readLong();
  }

  @Override
  public void close() throws IOException {
    in.close();
  }

  /** Writes such a file for each unit, from the sorted positions of all duplicates. */
  static final class Writer
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
  }

  /** Sends all positions of a unit to one writer. */
  static final class UnitPartitioner extends Partitioner<BytesWritable, NullWritable> {

    @Override
    public int getPartition(BytesWritable position, NullWritable nothing, int numPartitions) {
      return Position.of(position).unit() % numPartitions;
    }
  }
}
