package org.lengthwise.dataprep.storage;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.MiniDFSCluster;

/** Starts a real HDFS in this process. It takes seconds, so the tests of a class share one. */
public final class HdfsCluster {
  private HdfsCluster() {}

  /** A cluster of one data node, which keeps its files below a folder of the test. */
  public static MiniDFSCluster start(Path folder) throws IOException {
    return start(folder, new Configuration(), 1);
  }

  /** A cluster with a configuration of its own; the caller shuts it down. */
  public static MiniDFSCluster start(Path folder, Configuration configuration, int numDataNodes)
      throws IOException {
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(configuration, folder.resolve("hdfs").toFile())
            .numDataNodes(numDataNodes)
            .build();
    cluster.waitActive();
    return cluster;
  }
}
