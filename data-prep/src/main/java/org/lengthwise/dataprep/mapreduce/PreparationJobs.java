package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

/** Lays everything that the tasks need into the workspace, and describes the jobs. */
final class PreparationJobs {

  /** What Arrow asks of the JVM, whatever else its options are. */
  private static final String ARROW_OPTIONS = "--add-opens=java.base/java.nio=ALL-UNNAMED";

  /**
   * How many units share a task that compares texts. With the shipped size of units and documents
   * of 4 kB, such a task gets 1.6 GB.
   */
  private static final int UNITS_PER_COMPARISON = 256;

  private final JobRequest request;
  private final Tokenizer tokenizer;
  private final JobWorkspace workspace;
  private final FileSystem fileSystem;
  private final Configuration configuration;
  private final int numUnits;

  /** Describes the jobs for a plan, which it writes. */
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

  /** From the units to the positions of all documents whose text occurred before. */
  Job findRepeats() throws IOException {
    Job job = newJob("find repeats");
    tell(job, request.tokenizer());
    job.setInputFormatClass(UnitInputFormat.class);
    UnitInputFormat.leaveDigestsOut(job.getConfiguration());
    job.setMapperClass(KeyMapper.class);
    job.setMapOutputKeyClass(BytesWritable.class);
    job.setMapOutputValueClass(BytesWritable.class);
    job.setReducerClass(RepeatReducer.class);
    job.setOutputKeyClass(BytesWritable.class);
    job.setOutputValueClass(NullWritable.class);
    job.setOutputFormatClass(SequenceFileOutputFormat.class);
    FileOutputFormat.setOutputPath(job, workspace.positions());
    return job;
  }

  /** From these positions, which lie in the order of the texts, to a file for each unit. */
  Job sortRepeats() throws IOException {
    Job job = newJob("sort repeats");
    job.setInputFormatClass(SequenceFileInputFormat.class);
    FileInputFormat.addInputPath(job, workspace.positions());
    job.setPartitionerClass(UnitPartitioner.class);
    job.setReducerClass(UnitRepeatsReducer.class);
    job.setMapOutputKeyClass(BytesWritable.class);
    job.setMapOutputValueClass(NullWritable.class);
    setUnitOutput(job, workspace.repeats());
    return job;
  }

  /** From the units to shards. */
  Job prepare() throws IOException {
    Job job = newJob("prepare");
    tell(job, ship(job));
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

  /** What a user may set otherwise. */
  private void configure(Configuration job) {
    job.setInt(MRJobConfig.MAP_MEMORY_MB, request.settings().taskMemoryMib());
    job.setInt(MRJobConfig.REDUCE_MEMORY_MB, request.settings().taskMemoryMib());
    job.unset(MRJobConfig.MAP_JAVA_OPTS);
    job.unset(MRJobConfig.REDUCE_JAVA_OPTS);
    job.setInt(MRJobConfig.NUM_REDUCES, 1 + numUnits / UNITS_PER_COMPARISON);
  }

  /** What the tasks cannot do without. */
  private void complete(Configuration job) {
    String heap = "-Xmx" + request.settings().taskHeapMib() + "m";
    job.set(
        MRJobConfig.MAP_JAVA_OPTS, job.get(MRJobConfig.MAP_JAVA_OPTS, heap) + " " + ARROW_OPTIONS);
    job.set(MRJobConfig.REDUCE_JAVA_OPTS, job.get(MRJobConfig.REDUCE_JAVA_OPTS, heap));
    // Version 2 moves files into place as tasks commit, where a second attempt can meet them.
    job.setInt(FileOutputCommitter.FILEOUTPUTCOMMITTER_ALGORITHM_VERSION, 1);
    job.setBoolean(FileOutputCommitter.SUCCESSFUL_JOB_OUTPUT_DIR_MARKER, false);
    if (isLocal(job)) {
      job.setInt(MRJobConfig.MAP_MAX_ATTEMPTS, 1); // it never makes another
      return;
    }
    // The cluster's own Jackson and the like are older: each side sees its own.
    job.setBoolean(MRJobConfig.MAPREDUCE_JOB_CLASSLOADER, true);
    job.setStrings("tmpjars", jars());
  }

  /** Whether jobs run inside the driver, as they do where no cluster is configured. */
  private static boolean isLocal(Configuration configuration) {
    return MRConfig.LOCAL_FRAMEWORK_NAME.equals(
        configuration.get(MRConfig.FRAMEWORK_NAME, MRConfig.LOCAL_FRAMEWORK_NAME));
  }

  private static String[] jars() {
    return JobJars.of(System.getProperty("java.class.path")).toArray(String[]::new);
  }

  private void tell(Job job, String tokenizerInTask) throws IOException {
    new TaskSettings(workspace, request.prepare().settings(), tokenizerInTask, tokenizer.sha256())
        .store(job.getConfiguration());
  }

  /** Sends a tokenizer's file along, and says under which name a task finds it. */
  private String ship(Job job) throws IOException {
    Path file = Path.of(request.tokenizer());
    if (!Files.isRegularFile(file)) {
      return request.tokenizer();
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
