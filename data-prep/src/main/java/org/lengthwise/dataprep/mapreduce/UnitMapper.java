package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.dataprep.prepare.PartPreparation;
import org.lengthwise.dataprep.prepare.PreparedParts;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.source.PartReader;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/**
 * A task: prepares or digests its unit.
 *
 * <p>Shards grow on the node's own disk and are copied, when complete, into the folder of this
 * attempt, which the committer promotes if the attempt is the one that counts.
 */
final class UnitMapper
    extends Mapper<NullWritable, UnitReader.Reading, NullWritable, NullWritable> {

  /** For Hadoop, which makes it by reflection. */
  UnitMapper() {}

  @Override
  protected void map(NullWritable key, UnitReader.Reading reading, Context context)
      throws IOException {
    java.nio.file.Path folder = Files.createTempDirectory("lengthwise-");
    try {
      UnitAttempt.run(
          reading,
          context,
          (unit, settings, reader) -> {
            UnitResult result =
                unit.work() == WorkUnit.Work.DIGEST
                    ? digest(unit, reader, folder)
                    : prepare(unit, settings, reader, folder, context.getConfiguration());
            count(result, context);
            publish(unit, folder, result, context);
          });
    } finally {
      FileUtil.fullyDelete(folder.toFile());
    }
  }

  private static UnitResult digest(WorkUnit unit, PartReader reader, java.nio.file.Path folder)
      throws IOException {
    Files.createDirectory(new Workspace(folder).content()); // stays empty
    List<InputEntry> files = unit.parts().stream().map(reader::digest).toList();
    return UnitResult.ofDigests(files);
  }

  private static UnitResult prepare(
      WorkUnit unit,
      TaskSettings settings,
      PartReader reader,
      java.nio.file.Path folder,
      Configuration configuration)
      throws IOException {
    JobWorkspace workspace = settings.workspace();
    try (Tokenizer tokenizer = settings.openTokenizer();
        UnitRepeats repeats =
            UnitRepeats.read(workspace.fileSystem(configuration), workspace.repeats(unit))) {
      PreparedParts prepared =
          new PartPreparation(settings.settings(), tokenizer, reader)
              .run(unit.parts(), repeats, folder);
      return UnitResult.of(prepared);
    }
  }

  private static void count(UnitResult result, Context context) {
    for (Split split : Split.values()) {
      var entry = Objects.requireNonNull(result.splits().get(split));
      context.getCounter(PreparationCounter.DOCUMENTS).increment(entry.documents());
      context.getCounter(PreparationCounter.TOKENS).increment(entry.tokens());
    }
    context.getCounter(PreparationCounter.TEXT_BYTES).increment(result.textBytes());
    context.getCounter(PreparationCounter.REJECTS).increment(result.rejects());
    context.getCounter(PreparationCounter.PASSED_OVER).increment(result.passedOver());
    context.getCounter(PreparationCounter.DUPLICATES).increment(result.duplicates());
  }

  private static void publish(
      WorkUnit unit, java.nio.file.Path folder, UnitResult result, Context context)
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
    JsonFile.write(fileSystem, new Path(destination, UnitResult.FILE), result);
  }
}
