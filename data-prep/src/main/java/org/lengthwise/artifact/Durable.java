package org.lengthwise.artifact;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.error.ConfigException;

/** Steps that make a write survive a crash, for files and folders. */
final class Durable {
  private Durable() {}

  /** The hidden name of an unfinished artifact, in the same folder as the artifact. */
  static Path partial(Path target) {
    return target.resolveSibling("." + target.getFileName() + ".partial");
  }

  static Path parentOf(Path target) {
    Path parent = target.getParent();
    if (parent == null) {
      throw new ConfigException(
          target.toString(),
          "the path of a file or folder inside another folder",
          "the root of a file system",
          "name a path below it");
    }
    return parent;
  }

  static void forceFile(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  /** Forces the names in a folder to the disk, if the file system can open folders. */
  static void forceFolder(Path folder) throws IOException {
    if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      return;
    }
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  static void forceTree(Path folder) throws IOException {
    for (Path path : tree(folder)) {
      if (Files.isDirectory(path)) {
        forceFolder(path);
      } else {
        forceFile(path);
      }
    }
  }

  static void deleteTree(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return;
    }
    for (Path path : tree(folder)) {
      Files.delete(path);
    }
  }

  /** All paths of a folder, the deepest first. */
  private static List<Path> tree(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
