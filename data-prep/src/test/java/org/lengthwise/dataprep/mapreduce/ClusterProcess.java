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
 * A cluster in a JVM of its own: HDFS, YARN and a history server, as Hadoop's own tests start them.
 *
 * <p>It runs on Hadoop's own jars, which have what the shaded mini cluster lacks: the master and
 * the tasks of MapReduce jobs. Its containers are processes with Hadoop's class path, as on a real
 * cluster, so whatever else a task needs must travel with the job.
 */
final class ClusterProcess {

  private ClusterProcess() {}

  /**
   * Starts the cluster, writes its configuration as the site files of a client, and stays until
   * standard input ends, as it does when the test ends in any way.
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
      // nothing is ever said; the end of the input is what counts
    }
    System.exit(0); // the containers end with their node manager
  }

  private static void publish(Configuration configuration, Path folder) throws IOException {
    // Or clients would add their own class path to that of the containers.
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
