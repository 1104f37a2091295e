package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormatCounter;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.dataprep.mapreduce.JobWatch.Stage;
import org.lengthwise.dataprep.prepare.Preparation;
import org.lengthwise.dataprep.prepare.PrepareRequest;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.prepare.PrepareSummary;
import org.lengthwise.dataprep.prepare.RejectLimit;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardFormat;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.source.Part;
import org.lengthwise.dataprep.storage.HadoopStorage;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;

/** Prepares a corpus on a Hadoop cluster. */
public final class MapReducePreparation {

  private static final Logger LOG = LogManager.getLogger(MapReducePreparation.class);

  private final JobRequest request;
  private final Tokenizer tokenizer;
  private final Configuration configuration;
  private final JobWorkspace workspace;
  private final long start = System.nanoTime();
  private boolean jobMayStillRun;

  private MapReducePreparation(JobRequest request, Tokenizer tokenizer) {
    this.request = request;
    this.tokenizer = tokenizer;
    workspace = JobWorkspace.of(new Path(request.prepare().output()));
    configuration = new Configuration();
    request.properties().forEach(configuration::set);
  }

  /**
   * Prepares a corpus. A finished output is skipped. The configuration of Hadoop on the class path
   * names the cluster. If it names none, the tasks run in this process, one after another.
   *
   * @return a summary; empty if the output was already finished
   */
  public static Optional<PrepareSummary> run(JobRequest request, Tokenizer tokenizer)
      throws IOException {
    PrepareRequest prepare = request.prepare();
    Preparation.requireHeap(
        prepare.settings().documentByteLimit(), (long) request.settings().taskHeapMib() << 20);
    prepare.inputs().forEach(MapReducePreparation::requireShared);
    requireShared(prepare.output());
    Corpus corpus = prepare.corpus();
    if (Preparation.isFinished(prepare, corpus, tokenizer)) {
      return Optional.empty();
    }
    return Optional.of(new MapReducePreparation(request, tokenizer).run(corpus));
  }

  private PrepareSummary run(Corpus corpus) throws IOException {
    FileSystem fileSystem = workspace.fileSystem(configuration);
    requireFree(fileSystem);
    workspace.claim(configuration);
    try {
      List<WorkUnit> units = WorkUnit.plan(corpus, request.settings().taskBytes());
      LOG.info(
          "{} for {}",
          Count.of(units.size(), "task"),
          Count.of(corpus.wholeFiles().size(), "file"));
      runJobs(fileSystem, units);
      FolderAssembly assembly = new FolderAssembly(fileSystem, workspace);
      assembly.move(units);
      PrepareSummary summary = assembly.summary((System.nanoTime() - start) / 1e9);
      requireWithinLimit(summary.tally().rejects());
      Preparation.requireDocuments(request.prepare(), summary);
      publish(fileSystem, manifest(corpus, assembly, summary));
      return summary;
    } finally {
      if (jobMayStillRun) {
        LOG.warn("{} was not removed: end the job, then remove that folder", workspace.root());
      } else {
        workspace.delete(configuration);
      }
    }
  }

  private void runJobs(FileSystem fileSystem, List<WorkUnit> units) throws IOException {
    PreparationJobs jobs = new PreparationJobs(request, tokenizer, workspace, configuration, units);
    if (request.prepare().settings().dedup() == Deduplication.EXACT) {
      long documentBytes =
          numBytes(units.stream().filter(unit -> unit.kind() == WorkUnit.Kind.PREPARE));
      run(fileSystem, jobs.findDuplicates(), reading("find duplicates", documentBytes));
      long positionBytes = fileSystem.getContentSummary(workspace.positions()).getLength();
      Stage sorting =
          new Stage("sort duplicates", FileInputFormatCounter.BYTES_READ, positionBytes);
      run(fileSystem, jobs.sortDuplicates(), sorting);
    }
    run(fileSystem, jobs.prepare(), reading("prepare", numBytes(units.stream())));
  }

  private static long numBytes(Stream<WorkUnit> units) {
    return units.mapToLong(WorkUnit::numBytes).sum();
  }

  private static Stage reading(String task, long numBytes) {
    return new Stage(task, PreparationCounter.INPUT_BYTES, numBytes);
  }

  private void run(FileSystem fileSystem, Job job, Stage stage) throws IOException {
    JobWatch watch = new JobWatch(job, stage, request.prepare().settings().rejectLimit());
    boolean successful;
    try {
      successful = watch.run();
    } finally {
      jobMayStillRun = watch.mayStillRun();
    }
    throwFirst(fileSystem, workspace.failures());
    if (!successful) {
      requireWithinLimit(watch.rejects());
      throwFirst(fileSystem, workspace.unreadable());
      throw new IOException(watch.diagnosis());
    }
  }

  private static void throwFirst(FileSystem fileSystem, Path failures) throws IOException {
    Optional<UnitFailure> failure = UnitFailure.first(fileSystem, failures);
    if (failure.isPresent()) {
      throw failure.get().toException();
    }
  }

  private Manifest manifest(Corpus corpus, FolderAssembly assembly, PrepareSummary summary)
      throws IOException {
    List<InputEntry> inputs = new ArrayList<>();
    for (Part file : corpus.wholeFiles()) {
      inputs.add(assembly.file(file.uri()));
    }
    return new Manifest(
        ShardFormat.VERSION,
        Preparation.identity(tokenizer),
        inputs,
        Preparation.settings(request.prepare()),
        summary.splits(),
        summary.tally().rejects(),
        summary.tally().duplicates(),
        BuildInfo.current());
  }

  /** Writes the manifest, then the marker {@code DONE}, and renames the folder last. */
  private void publish(FileSystem fileSystem, Manifest manifest) throws IOException {
    JsonFile.writePretty(fileSystem, new Path(workspace.folder(), Manifest.FILE), manifest);
    fileSystem.create(new Path(workspace.folder(), ArtifactFolder.DONE), false).close();
    HadoopStorage.rename(fileSystem, workspace.folder(), new Path(request.prepare().output()));
  }

  private static void requireShared(String uri) {
    if (!Storage.isRemote(uri)) {
      throw new ConfigException(
          uri,
          "a URI of a file system that every node of the cluster reaches, such as hdfs:",
          "a path on this machine",
          "copy it to such a file system, for example with `hadoop fs -put`, or use --engine local");
    }
  }

  private void requireFree(FileSystem fileSystem) throws IOException {
    if (fileSystem.exists(new Path(request.prepare().output()))) {
      throw new ConfigException(
          request.prepare().output(),
          "a folder that does not exist yet",
          "a file or folder that is not a finished artifact",
          "name another folder, or remove this one first");
    }
  }

  private void requireWithinLimit(long rejects) {
    PrepareRequest prepare = request.prepare();
    new RejectLimit(prepare.settings().rejectLimit())
        .requireHeld(rejects, String.join(",", prepare.inputs()), "in all tasks together");
  }
}
