package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.lengthwise.artifact.Workspace;
import org.lengthwise.dataprep.prepare.PartPreparation;
import org.lengthwise.dataprep.prepare.PartPreparation.PreparedParts;
import org.lengthwise.dataprep.prepare.Tally;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.source.PartReader;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/**
 * Prepares a unit, or computes the checksums of its files.
 *
 * <p>Shards are written to the node's local disk. Complete shards are copied to the folder of this
 * attempt, and the committer moves the folder of one attempt to the output.
 */
final class UnitMapper
    extends Mapper<NullWritable, UnitInputFormat.Reading, NullWritable, NullWritable> {

  @Override
  protected void map(NullWritable key, UnitInputFormat.Reading reading, Context context)
      throws IOException {
    java.nio.file.Path folder = Files.createTempDirectory("lengthwise-");
    try {
      UnitAttempt.run(
          reading,
          context,
          (unit, settings, reader) -> {
            PreparedParts prepared =
                unit.kind() == WorkUnit.Kind.DIGEST
                    ? digest(unit, reader, folder)
                    : prepare(unit, settings, reader, folder, context.getConfiguration());
            count(prepared, context);
            publish(unit, folder, prepared, context);
          });
    } finally {
      FileUtil.fullyDelete(folder.toFile());
    }
  }

  private static PreparedParts digest(WorkUnit unit, PartReader reader, java.nio.file.Path folder)
      throws IOException {
    Files.createDirectory(new Workspace(folder).content()); // without shards
    List<InputEntry> files = unit.parts().stream().map(reader::digest).toList();
    return new PreparedParts(Map.of(), Tally.ZERO, files);
  }

  private static PreparedParts prepare(
      WorkUnit unit,
      TaskSettings settings,
      PartReader reader,
      java.nio.file.Path folder,
      Configuration configuration)
      throws IOException {
    JobWorkspace workspace = settings.workspace();
    try (Tokenizer tokenizer = settings.openTokenizer();
        UnitDuplicates duplicates =
            UnitDuplicates.read(workspace.fileSystem(configuration), workspace.duplicates(unit))) {
      return new PartPreparation(settings.settings(), tokenizer, reader)
          .run(unit.parts(), duplicates, folder);
    }
  }

  private static void count(PreparedParts prepared, Context context) {
    for (SplitEntry entry : prepared.splits().values()) {
      context.getCounter(PreparationCounter.DOCUMENTS).increment(entry.documents());
      context.getCounter(PreparationCounter.TOKENS).increment(entry.tokens());
    }
    context.getCounter(PreparationCounter.TEXT_BYTES).increment(prepared.tally().textBytes());
    context.getCounter(PreparationCounter.REJECTS).increment(prepared.tally().rejects());
    context.getCounter(PreparationCounter.SKIPPED).increment(prepared.tally().skipped());
    context.getCounter(PreparationCounter.DUPLICATES).increment(prepared.tally().duplicates());
  }

  private static void publish(
      WorkUnit unit, java.nio.file.Path folder, PreparedParts prepared, Context context)
      throws IOException {
    Path attempt = UnitOutputFormat.attemptFolder(context);
    FileSystem fileSystem = attempt.getFileSystem(context.getConfiguration());
    Path destination = new Path(attempt, WorkUnit.fileName(unit.number()));
    fileSystem.mkdirs(destination);
    try (Stream<java.nio.file.Path> files = Files.list(new Workspace(folder).content())) {
      for (java.nio.file.Path file : files.sorted().toList()) {
        fileSystem.copyFromLocalFile(new Path(file.toUri()), destination);
        context.progress();
      }
    }
    JsonFile.write(fileSystem, new Path(destination, FolderAssembly.RESULT_FILE), prepared);
  }
}
