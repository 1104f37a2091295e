package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.mapreduce.v2.MiniMRYarnCluster;

/**
 * A cluster in its own JVM: HDFS, YARN and a history server, started as in Hadoop's own tests.
 *
 * <p>It runs on Hadoop's unshaded jars, because the shaded mini cluster lacks the application
 * master and the tasks of MapReduce jobs. Its containers are processes with Hadoop's class path, as
 * on a real cluster, so the job must bring all other jars that a task needs.
 */
final class ClusterProcess {

  /** The options of a JVM that lives for seconds. */
  static final String QUICK_JVM = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC";

  private ClusterProcess() {}

  /**
   * Starts the cluster and writes its configuration as the site files of a client. The cluster runs
   * until standard input ends, which also happens when the test is killed.
   */
  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    Configuration configuration = new Configuration();
    configuration.set(
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage", "100");
    configuration.set("yarn.nodemanager.resource.memory-mb", "4096");
    configuration.set("yarn.scheduler.minimum-allocation-mb", "256");
    configuration.set("yarn.nodemanager.vmem-check-enabled", "false");
    configuration.set("yarn.app.mapreduce.am.resource.mb", "768");
    configuration.set("yarn.app.mapreduce.am.command-opts", "-Xmx512m");
    configuration.set("yarn.app.mapreduce.am.staging-dir", "/staging");
    configuration.set("mapreduce.application.classpath", System.getProperty("java.class.path"));
    configuration.set("yarn.application.classpath", System.getProperty("java.class.path"));
    configuration.set("hadoop.tmp.dir", folder.resolve("tmp").toString());
    makeQuick(configuration);
    MiniDFSCluster hdfs =
        new MiniDFSCluster.Builder(configuration, folder.resolve("hdfs").toFile())
            .numDataNodes(2)
            .build();
    hdfs.waitActive();
    configuration.set("fs.defaultFS", hdfs.getFileSystem().getUri().toString());
    MiniMRYarnCluster yarn = new MiniMRYarnCluster("lengthwise", 1);
    yarn.init(configuration);
    yarn.start();
    publish(yarn.getConfig(), folder.resolve("conf"));
    while (System.in.read() >= 0) {
      // waits for the end of the input
    }
    System.exit(0); // the containers end with their node manager
  }

  /** By default a job of some seconds waits for heartbeats of seconds, and compiles for hours. */
  private static void makeQuick(Configuration configuration) {
    configuration.set("yarn.resourcemanager.nodemanagers.heartbeat-interval-ms", "50");
    configuration.set("yarn.app.mapreduce.am.scheduler.heartbeat.interval-ms", "50");
    configuration.set("yarn.scheduler.capacity.node-locality-delay", "-1");
    for (String options :
        List.of(
            "yarn.app.mapreduce.am.admin-command-opts",
            "mapreduce.admin.map.child.java.opts",
            "mapreduce.admin.reduce.child.java.opts")) {
      configuration.set(options, QUICK_JVM);
    }
  }

  private static void publish(Configuration configuration, Path folder) throws IOException {
    // Otherwise clients would add their own class path to the containers.
    configuration.setBoolean("yarn.is.minicluster", false);
    Path temporary = folder.resolveSibling("conf.partial");
    Files.createDirectories(temporary);
    for (String site : List.of("core-site.xml", "mapred-site.xml", "yarn-site.xml")) {
      try (OutputStream out = Files.newOutputStream(temporary.resolve(site))) {
        configuration.writeXml(out);
      }
    }
    Files.move(temporary, folder, StandardCopyOption.ATOMIC_MOVE);
  }
}
