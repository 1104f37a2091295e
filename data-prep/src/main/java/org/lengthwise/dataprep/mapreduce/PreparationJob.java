package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/** Lays everything that the tasks need into the workspace, and describes the job. */
final class PreparationJob {

  /** What Arrow asks of the JVM, whatever else its options are. */
  private static final String ARROW_OPTIONS = "--add-opens=java.base/java.nio=ALL-UNNAMED";

  private PreparationJob() {}

  static Job create(
      JobRequest request,
      Tokenizer tokenizer,
      JobWorkspace workspace,
      Configuration configuration,
      List<WorkUnit> units)
      throws IOException {
    Job job = Job.getInstance(configuration, "lengthwise prepare " + request.prepare().output());
    FileSystem fileSystem = workspace.fileSystem(configuration);
    JsonFile.writeLines(fileSystem, workspace.plan(), units);
    String inTask = ship(request.tokenizer(), workspace, fileSystem, job);
    new TaskSettings(workspace, request.prepare().settings(), inTask, tokenizer.sha256())
        .store(job.getConfiguration());
    job.setInputFormatClass(UnitInputFormat.class);
    job.setMapperClass(UnitMapper.class);
    job.setNumReduceTasks(0);
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    job.setOutputFormatClass(UnitOutputFormat.class);
    FileOutputFormat.setOutputPath(job, workspace.units());
    job.setMapSpeculativeExecution(true);
    configure(job.getConfiguration(), request.settings());
    request.properties().forEach(job.getConfiguration()::set);
    complete(job.getConfiguration(), request.settings());
    return job;
  }

  /** What a user may set otherwise. */
  private static void configure(Configuration configuration, MapReduceSettings settings) {
    configuration.setInt(MRJobConfig.MAP_MEMORY_MB, settings.taskMemoryMib());
    configuration.unset(MRJobConfig.MAP_JAVA_OPTS);
  }

  /** What the tasks cannot do without. */
  private static void complete(Configuration configuration, MapReduceSettings settings) {
    String heap = "-Xmx" + settings.taskHeapMib() + "m";
    configuration.set(
        MRJobConfig.MAP_JAVA_OPTS,
        configuration.get(MRJobConfig.MAP_JAVA_OPTS, heap) + " " + ARROW_OPTIONS);
    // Version 2 moves files into place as tasks commit, where a second attempt can meet them.
    configuration.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    configuration.setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    if (isLocal(configuration)) {
      configuration.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1); // it never makes another
      return;
    }
    // The cluster's own Jackson and the like are older: each side sees its own.
    configuration.setBoolean(MRJobConfig.MAPREDUCE_JOB_CLASSLOADER, true);
    configuration.setStrings("tmpjars", jars());
  }

  /** Whether jobs run inside the driver, as they do where no cluster is configured. */
  static boolean isLocal(Configuration configuration) {
    return MRConfig.LOCAL_FRAMEWORK_NAME.equals(
        configuration.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME));
  }

  private static String[] jars() {
    return JobJars.of(System.getProperty("java.class.path")).toArray(String[]::new);
  }

  /** Sends a tokenizer's file along, and says under which name a task finds it. */
  private static String ship(
      String tokenizer, JobWorkspace workspace, FileSystem fileSystem, Job job) throws IOException {
    Path file = Path.of(tokenizer);
    if (!Files.isRegularFile(file)) {
      return tokenizer;
    }
    String name = file.getFileName().toString();
    var destination = workspace.tokenizer(name);
    fileSystem.mkdirs(destination.getParent());
    fileSystem.copyFromLocalFile(
        new org.apache.hadoop.fs.Path(file.toAbsolutePath().toUri()), destination);
    job.addCacheFile(fileSystem.makeQualified(destination).toUri());
    return name;
  }
}
