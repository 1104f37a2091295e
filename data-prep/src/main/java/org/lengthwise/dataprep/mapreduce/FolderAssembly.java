package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.lengthwise.dataprep.prepare.PartPreparation.PreparedParts;
import org.lengthwise.dataprep.prepare.Preparation;
import org.lengthwise.dataprep.prepare.PrepareSummary;
import org.lengthwise.dataprep.prepare.Tally;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.ShardEntry;
import org.lengthwise.dataprep.shard.ShardFormat;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;

/** Moves the outputs of all units into one folder, in the order of the units. */
final class FolderAssembly {

  /** The file in which a task describes the output of its unit. */
  static final String RESULT_FILE = "result.json";

  private final FileSystem fileSystem;
  private final JobWorkspace workspace;
  private final Map<Split, List<ShardEntry>> shards = new EnumMap<>(Split.class);
  private final Map<String, InputEntry> files = new HashMap<>();
  private Tally tally = Tally.ZERO;

  FolderAssembly(FileSystem fileSystem, JobWorkspace workspace) {
    this.fileSystem = fileSystem;
    this.workspace = workspace;
    for (Split split : Split.values()) {
      shards.put(split, new ArrayList<>());
    }
  }

  void move(List<WorkUnit> units) throws IOException {
    fileSystem.mkdirs(workspace.folder());
    try (OutputStream allRejects =
        fileSystem.create(new Path(workspace.folder(), Preparation.REJECTS_FILE))) {
      for (WorkUnit unit : units) {
        Path folder = workspace.unit(unit);
        PreparedParts prepared =
            JsonFile.read(fileSystem, new Path(folder, RESULT_FILE), PreparedParts.class);
        for (Map.Entry<Split, SplitEntry> split : prepared.splits().entrySet()) {
          rename(folder, split.getKey(), split.getValue());
        }
        if (prepared.tally().rejects() > 0) {
          try (InputStream in = fileSystem.open(new Path(folder, Preparation.REJECTS_FILE))) {
            in.transferTo(allRejects);
          }
        }
        prepared.files().forEach(file -> files.put(file.uri(), file));
        tally = tally.plus(prepared.tally());
      }
    }
  }

  private void rename(Path unit, Split split, SplitEntry entry) throws IOException {
    List<ShardEntry> moved = Objects.requireNonNull(shards.get(split));
    for (ShardEntry shard : entry.shards()) {
      String name = ShardFormat.fileName(split, moved.size());
      Path source = new Path(unit, shard.file());
      if (!fileSystem.rename(source, new Path(workspace.folder(), name))) {
        throw new IOException("could not rename " + source + " to " + name);
      }
      moved.add(
          new ShardEntry(name, shard.bytes(), shard.sha256(), shard.documents(), shard.tokens()));
    }
  }

  InputEntry file(String uri) {
    return Objects.requireNonNull(files.get(uri), uri);
  }

  PrepareSummary summary(double seconds) {
    Map<Split, SplitEntry> splits = new EnumMap<>(Split.class);
    shards.forEach((split, entries) -> splits.put(split, SplitEntry.of(entries)));
    return new PrepareSummary(splits, tally, seconds);
  }
}
