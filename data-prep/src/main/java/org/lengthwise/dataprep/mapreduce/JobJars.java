package org.lengthwise.dataprep.mapreduce;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * The jars that travel with a job: those of the driver's class path without Hadoop, which the
 * cluster has, and without what no task uses.
 */
final class JobJars {

  /** Tasks log as their cluster does, so the bridge from its logging to ours stays at home. */
  private static final List<String> LEFT_OUT =
      List.of("hadoop-", "slf4j-", "log4j-slf4j", "pytorch-", "xchart-", "VectorGraphics2D-");

  private JobJars() {}

  /** The jars of a class path, as URIs. */
  static List<String> of(String classPath) {
    return Stream.of(classPath.split(File.pathSeparator, -1))
        .map(Path::of)
        .filter(path -> path.toString().endsWith(".jar") && Files.isRegularFile(path))
        .filter(path -> LEFT_OUT.stream().noneMatch(path.getFileName().toString()::startsWith))
        .map(path -> path.toUri().toString())
        .distinct()
        .toList();
  }
}
