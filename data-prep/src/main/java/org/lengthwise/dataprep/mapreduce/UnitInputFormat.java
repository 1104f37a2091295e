package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.RecordReader;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.security.TokenCache;
import org.lengthwise.dataprep.source.Part;

/** One split, and so one map task, for each unit of the plan that the job is for. */
final class UnitInputFormat extends InputFormat<NullWritable, UnitReader.Reading> {

  private static final String WITH_DIGESTS = "lengthwise.prepare.digests";

  /** For Hadoop, which makes it by reflection. */
  UnitInputFormat() {}

  /** Makes a job one for the units that prepare alone. */
  static void leaveDigestsOut(Configuration configuration) {
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
      if (unit.work() == WorkUnit.Work.DIGEST && !withDigests) {
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
  public RecordReader<NullWritable, UnitReader.Reading> createRecordReader(
      InputSplit split, TaskAttemptContext context) {
    return new UnitReader();
  }
}
