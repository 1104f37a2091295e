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
import org.apache.hadoop.mapreduce.lib.output.PathOutputCommitter;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.dataprep.prepare.PartPreparation;
import org.lengthwise.dataprep.prepare.PreparedParts;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.source.PartReader;
import org.lengthwise.dataprep.storage.HadoopStorage;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/**
 * A task: prepares or digests its unit.
 *
 * <p>Shards grow on the node's own disk and are copied, when complete, into the folder of this
 * attempt, which the committer promotes if the attempt is the one that counts.
 *
 * <p>Bad data does not get better by trying again, so a task that meets some notes it for the
 * driver and ends well, which is what keeps Hadoop from trying again. A file that cannot be read is
 * tried again first: the next attempt may find another replica.
 */
final class UnitMapper
    extends Mapper<NullWritable, UnitReader.Reading, NullWritable, NullWritable> {

  /** For Hadoop, which makes it by reflection. */
  UnitMapper() {}

  @Override
  protected void map(NullWritable key, UnitReader.Reading reading, Context context)
      throws IOException {
    TaskSettings settings = TaskSettings.of(context.getConfiguration());
    java.nio.file.Path folder = Files.createTempDirectory("lengthwise-");
    try {
      PartReader reader =
          new PartReader(
              new HadoopStorage(context.getConfiguration()),
              step -> {
                reading.bytesRead().addAndGet(step);
                context.getCounter(PreparationCounter.INPUT_BYTES).increment(step);
                context.progress();
              });
      UnitResult result = work(reading.unit(), reader, settings, folder);
      count(result, context);
      publish(reading.unit(), folder, result, context);
    } catch (DataFormatException | ConfigException e) {
      if (mayPass(e, context)) {
        throw e;
      }
      FileSystem fileSystem = settings.workspace().fileSystem(context.getConfiguration());
      String attempt = context.getTaskAttemptID().toString();
      UnitFailure.of(e).write(fileSystem, settings.workspace(), reading.unit(), attempt);
      context.getCounter(PreparationCounter.UNITS_WITH_BAD_DATA).increment(1);
    } finally {
      FileUtil.fullyDelete(folder.toFile());
    }
  }

  private static UnitResult work(
      WorkUnit unit, PartReader reader, TaskSettings settings, java.nio.file.Path folder)
      throws IOException {
    if (unit.work() == WorkUnit.Work.DIGEST) {
      Files.createDirectory(new Workspace(folder).content()); // stays empty
      List<InputEntry> files = unit.parts().stream().map(reader::digest).toList();
      return UnitResult.ofDigests(files);
    }
    try (Tokenizer tokenizer = settings.openTokenizer()) {
      PreparedParts prepared =
          new PartPreparation(settings.settings(), tokenizer, reader)
              .run(unit.parts(), ordinal -> false, folder);
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
  }

  private static void publish(
      WorkUnit unit, java.nio.file.Path folder, UnitResult result, Context context)
      throws IOException {
    Configuration configuration = context.getConfiguration();
    Path attempt = ((PathOutputCommitter) context.getOutputCommitter()).getWorkPath();
    FileSystem fileSystem = attempt.getFileSystem(configuration);
    Path destination = new Path(attempt, unit.folderName());
    fileSystem.mkdirs(destination);
    try (Stream<java.nio.file.Path> files = Files.list(new Workspace(folder).content())) {
      for (java.nio.file.Path file : files.sorted().toList()) {
        fileSystem.copyFromLocalFile(new Path(file.toUri()), destination);
        context.progress();
      }
    }
    JsonFile.write(fileSystem, new Path(destination, UnitResult.FILE), result);
  }

  /** Whether another attempt is left and might do better. */
  private static boolean mayPass(RuntimeException failure, Context context) {
    int attempt = context.getTaskAttemptID().getId() + 1;
    return failure.getCause() instanceof IOException && attempt < context.getMaxMapAttempts();
  }
}
