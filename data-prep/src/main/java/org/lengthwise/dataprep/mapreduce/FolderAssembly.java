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
import org.lengthwise.dataprep.prepare.Preparation;
import org.lengthwise.dataprep.prepare.PrepareSummary;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.ShardEntry;
import org.lengthwise.dataprep.shard.ShardFormat;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;

/** Puts what the units left into one folder, in the order of the units. */
final class FolderAssembly {

  private final FileSystem fileSystem;
  private final JobWorkspace workspace;
  private final Map<Split, List<ShardEntry>> shards = new EnumMap<>(Split.class);
  private final Map<String, InputEntry> files = new HashMap<>();
  private long textBytes;
  private long rejects;
  private long passedOver;
  private long duplicates;

  FolderAssembly(FileSystem fileSystem, JobWorkspace workspace) {
    this.fileSystem = fileSystem;
    this.workspace = workspace;
    for (Split split : Split.values()) {
      shards.put(split, new ArrayList<>());
    }
  }

  /** Takes over the shards and rejects of all units. */
  void take(List<WorkUnit> units) throws IOException {
    fileSystem.mkdirs(workspace.folder());
    try (OutputStream allRejects =
        fileSystem.create(new Path(workspace.folder(), Preparation.REJECTS_FILE))) {
      for (WorkUnit unit : units) {
        Path folder = workspace.unit(unit);
        UnitResult result =
            JsonFile.read(fileSystem, new Path(folder, UnitResult.FILE), UnitResult.class);
        for (Split split : Split.values()) {
          rename(folder, split, Objects.requireNonNull(result.splits().get(split)));
        }
        if (result.rejects() > 0) {
          try (InputStream in = fileSystem.open(new Path(folder, Preparation.REJECTS_FILE))) {
            in.transferTo(allRejects);
          }
        }
        result.files().forEach(file -> files.put(file.uri(), file));
        textBytes += result.textBytes();
        rejects += result.rejects();
        passedOver += result.passedOver();
        duplicates += result.duplicates();
      }
    }
  }

  private void rename(Path unit, Split split, SplitEntry entry) throws IOException {
    List<ShardEntry> taken = Objects.requireNonNull(shards.get(split));
    for (ShardEntry shard : entry.shards()) {
      String name = ShardFormat.fileName(split, taken.size());
      Path source = new Path(unit, shard.file());
      if (!fileSystem.rename(source, new Path(workspace.folder(), name))) {
        throw new IOException("could not rename " + source + " to " + name);
      }
      taken.add(
          new ShardEntry(name, shard.bytes(), shard.sha256(), shard.documents(), shard.tokens()));
    }
  }

  /** The identity of an input that was read. */
  InputEntry file(String uri) {
    return Objects.requireNonNull(files.get(uri), uri);
  }

  /** What was taken over so far. */
  PrepareSummary summary(double seconds) {
    Map<Split, SplitEntry> splits = new EnumMap<>(Split.class);
    shards.forEach((split, entries) -> splits.put(split, SplitEntry.of(entries)));
    return new PrepareSummary(splits, textBytes, rejects, passedOver, duplicates, seconds);
  }
}
