package org.lengthwise.dataprep.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.source.Part;

/** Makes one split, and therefore one map task, for each unit of the plan. */
final class UnitInputFormat extends InputFormat<NullWritable, UnitInputFormat.Reading> {

  /** A unit that a task reads, and the bytes read so far, which the task updates. */
  record Reading(WorkUnit unit, AtomicLong bytesRead) {}

  private static final String WITH_DIGESTS = "lengthwise.prepare.digests";

  /** Excludes units from a job that only compute checksums of files. */
  static void excludeDigests(Configuration configuration) {
    configuration.setBoolean(WITH_DIGESTS, false);
  }

  @Override
  public List<InputSplit> getSplits(JobContext context) throws IOException {
    Configuration configuration = context.getConfiguration();
    JobWorkspace workspace = TaskSettings.workspace(configuration);
    boolean withDigests = configuration.getBoolean(WITH_DIGESTS, true);
    List<InputSplit> splits = new ArrayList<>();
    for (WorkUnit unit :
        JsonFile.readLines(workspace.fileSystem(configuration), workspace.plan(), WorkUnit.class)) {
      if (unit.kind() == WorkUnit.Kind.DIGEST && !withDigests) {
        continue;
      }
      Part first = unit.parts().get(0);
      Path file = new Path(first.uri());
      Path[] files =
          unit.parts().stream().map(Part::uri).distinct().map(Path::new).toArray(Path[]::new);
      TokenCache.obtainTokensForNamenodes(context.getCredentials(), files, configuration);
      splits.add(new UnitSplit(unit, hosts(file.getFileSystem(configuration), file, first)));
    }
    return splits;
  }

  private static List<String> hosts(FileSystem fileSystem, Path file, Part part)
      throws IOException {
    BlockLocation[] blocks =
        fileSystem.getFileBlockLocations(file, part.offset(), Math.max(1, part.bytes()));
    return blocks.length == 0 ? List.of() : List.of(blocks[0].getHosts());
  }

  @Override
  public RecordReader<NullWritable, Reading> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new UnitReader();
  }

  static final class UnitSplit extends InputSplit implements Writable {

    private byte[] json = new byte[0];
    private long numBytes;

    /** The hosts of the first bytes. Only the scheduler needs them, so they are not sent. */
    private List<String> hosts = List.of();

    UnitSplit() {}

    UnitSplit(WorkUnit unit, List<String> hosts) throws IOException {
      json = ConfigLoader.strictMapper().writeValueAsBytes(unit);
      numBytes = unit.numBytes();
      this.hosts = hosts;
    }

    WorkUnit unit() throws IOException {
      return ConfigLoader.strictMapper().readValue(json, WorkUnit.class);
    }

    @Override
    public long getLength() {
      return numBytes;
    }

    @Override
    public String[] getLocations() {
      return hosts.toArray(String[]::new);
    }

    @Override
    public void write(DataOutput out) throws IOException {
      out.writeLong(numBytes);
      out.writeInt(json.length);
      out.write(json);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
      numBytes = in.readLong();
      json = new byte[in.readInt()];
      in.readFully(json);
    }

    @Override
    public String toString() {
      return new String(json, StandardCharsets.UTF_8);
    }
  }

  /** Gives a task its unit, as one record, and reports the progress of the task. */
  static final class UnitReader extends RecordReader<NullWritable, Reading> {

    private @Nullable Reading reading;
    private boolean returned;

    @Override
    public void initialize(InputSplit split, TaskAttemptContext context) throws IOException {
      reading = new Reading(((UnitSplit) split).unit(), new AtomicLong());
    }

    @Override
    public boolean nextKeyValue() {
      boolean first = !returned;
      returned = true;
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
}
