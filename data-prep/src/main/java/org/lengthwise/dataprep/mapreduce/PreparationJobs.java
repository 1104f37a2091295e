package org.lengthwise.dataprep.mapreduce;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.MRConfig;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.SequenceFileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputCommitter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;

/** Describes the jobs, and writes to the workspace what the tasks need. */
final class PreparationJobs {

  /** The JVM option that Arrow needs. */
  private static final String ARROW_OPTIONS = "--add-opens=java.base/java.nio=ALL-UNNAMED";

  /**
   * Jars that the cluster has, or that no task uses. Tasks log as the cluster does, so the bridge
   * from Hadoop's logging to Log4j is not sent.
   */
  private static final List<String> NOT_SENT =
      List.of("hadoop-", "slf4j-", "log4j-slf4j", "pytorch-");

  /**
   * The number of units for each task that compares texts. With the shipped task size and documents
   * of 4 kB, such a task reads 1.6 GB.
   */
  private static final int UNITS_PER_COMPARISON = 256;

  private final JobRequest request;
  private final Tokenizer tokenizer;
  private final JobWorkspace workspace;
  private final FileSystem fileSystem;
  private final Configuration configuration;
  private final int numUnits;

  PreparationJobs(
      JobRequest request,
      Tokenizer tokenizer,
      JobWorkspace workspace,
      Configuration configuration,
      List<WorkUnit> units)
      throws IOException {
    this.request = request;
    this.tokenizer = tokenizer;
    this.workspace = workspace;
    this.configuration = configuration;
    fileSystem = workspace.fileSystem(configuration);
    numUnits = units.size();
    JsonFile.writeLines(fileSystem, workspace.plan(), units);
  }

  /** The job from units to the positions of all duplicates. */
  Job findDuplicates() throws IOException {
    Job job = newJob("find duplicates");
    storeSettings(job, request.tokenizer());
    job.setInputFormatClass(UnitInputFormat.class);
    UnitInputFormat.excludeDigests(job.getConfiguration());
    job.setMapperClass(KeyMapper.class);
    job.setMapOutputKeyClass(BytesWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    job.setReducerClass(DuplicateReducer.class);
    job.setOutputKeyClass(BytesWritable.class);
    job.setOutputValueClass(NullWritable.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, workspace.positions());
    return job;
  }

  /** The job from these positions, which are in the order of the texts, to a file for each unit. */
  Job sortDuplicates() throws IOException {
    Job job = newJob("sort duplicates");
    job.setInputFormatClass(SequenceFileInputFormat.class);
    FileInputFormat.addInputPath(job, workspace.positions());
    job.setPartitionerClass(UnitDuplicates.UnitPartitioner.class);
    job.setReducerClass(UnitDuplicates.Writer.class);
    job.setMapOutputKeyClass(BytesWritable.class);
    job.setMapOutputValueClass(NullWritable.class);
    setUnitOutput(job, workspace.duplicates());
    return job;
  }

  /** The job from units to shards. */
  Job prepare() throws IOException {
    Job job = newJob("prepare");
    storeSettings(job, addTokenizer(job));
    job.setInputFormatClass(UnitInputFormat.class);
    job.setMapperClass(UnitMapper.class);
    job.setNumReduceTasks(0);
    setUnitOutput(job, workspace.units());
    return job;
  }

  private static void setUnitOutput(Job job, org.apache.hadoop.fs.Path folder) {
    job.setOutputKeyClass(NullWritable.class);
    job.setOutputValueClass(NullWritable.class);
    job.setOutputFormatClass(UnitOutputFormat.class);
    FileOutputFormat.setOutputPath(job, folder);
  }

  private Job newJob(String work) throws IOException {
    Job job =
        Job.getInstance(configuration, "lengthwise " + work + " " + request.prepare().output());
    job.setSpeculativeExecution(true);
    configure(job.getConfiguration());
    request.properties().forEach(job.getConfiguration()::set);
    complete(job.getConfiguration());
    return job;
  }

  /** Sets defaults, which the user's properties override. */
  private void configure(Configuration job) {
    job.setInt(MRJobConfig.MAP_MEMORY_MB, request.settings().taskMemoryMib());
    job.setInt(MRJobConfig.REDUCE_MEMORY_MB, request.settings().taskMemoryMib());
    job.unset(MRJobConfig.MAP_JAVA_OPTS);
    job.unset(MRJobConfig.REDUCE_JAVA_OPTS);
    job.setInt(MRJobConfig.NUM_REDUCES, 1 + numUnits / UNITS_PER_COMPARISON);
  }

  /** Sets properties that the tasks need. They override the user's properties. */
  private void complete(Configuration job) {
    String heap = "-Xmx" + request.settings().taskHeapMib() + "m";
    job.set(
        MRJobConfig.MAP_JAVA_OPTS, job.get(MRJobConfig.MAP_JAVA_OPTS, heap) + " " + ARROW_OPTIONS);
    job.set(MRJobConfig.REDUCE_JAVA_OPTS, job.get(MRJobConfig.REDUCE_JAVA_OPTS, heap));
    // Version 2 moves files to the output when a task commits, so a second attempt may find them.
    job.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    job.setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    if (isLocal(job)) {
      job.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1); // the local framework never starts another
      return;
    }
    // The cluster's Jackson and other libraries are older, so the job has its own class loader.
    job.setBoolean(MRJobConfig.MAPREDUCE_JOB_CLASSLOADER, true);
    job.setStrings("tmpjars", jars());
  }

  private static boolean isLocal(Configuration configuration) {
    return MRConfig.LOCAL_FRAMEWORK_NAME.equals(
        configuration.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME));
  }

  private static String[] jars() {
    return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator, -1))
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar") && Files.isRegularFile(path))
        .filter(path -> NOT_SENT.stream().noneMatch(path.getFileName().toString()::startsWith))
        .map(path -> path.toUri().toString())
        .distinct()
        .toArray(String[]::new);
  }

  private void storeSettings(Job job, String tokenizerInTask) throws IOException {
    new TaskSettings(workspace, request.prepare().settings(), tokenizerInTask, tokenizer.sha256())
        .store(job.getConfiguration());
  }

  /** Adds a tokenizer's files to the job; returns the name under which a task finds it. */
  private String addTokenizer(Job job) throws IOException {
    List<Path> files = Tokenizers.files(request.tokenizer());
    for (Path file : files) {
      var destination = workspace.tokenizer(file.getFileName().toString());
      fileSystem.mkdirs(destination.getParent());
      fileSystem.copyFromLocalFile(
          new org.apache.hadoop.fs.Path(file.toAbsolutePath().toUri()), destination);
      job.addCacheFile(fileSystem.makeQualified(destination).toUri());
    }
    return files.isEmpty() ? request.tokenizer() : files.get(0).getFileName().toString();
  }
}
