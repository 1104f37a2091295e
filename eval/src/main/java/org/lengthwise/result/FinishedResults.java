package org.lengthwise.result;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.error.ConfigException;

/**
 * All finished results below some folders.
 *
 * @param folders the results folders, in the order of the roots and then of their paths
 */
public record FinishedResults(List<Path> folders) {
  private static final Logger LOG = LogManager.getLogger(FinishedResults.class);

  public FinishedResults {
    folders = List.copyOf(folders);
  }

  /**
   * {@return the results below folders, at any depth, possibly none} A folder with results but
   * without the marker DONE is logged and skipped. Hidden folders hold unfinished work and are
   * skipped.
   *
   * @param roots the folders to search; a results folder below two roots counts once
   * @throws ConfigException if a root is not a folder
   */
  public static FinishedResults under(List<Path> roots) throws IOException {
    Set<Path> folders = new LinkedHashSet<>();
    for (Path root : roots) {
      if (!Files.isDirectory(root)) {
        throw new ConfigException(
            "--results " + root, "a folder", "none", "name a folder that contains results");
      }
      TreeSet<Path> below = new TreeSet<>();
      collect(root.toRealPath(), below);
      folders.addAll(below);
    }
    return new FinishedResults(List.copyOf(folders));
  }

  /**
   * Reads the results of one kind.
   *
   * @return the lines of all folders, in their order
   */
  public <T> List<Located<T>> of(ResultFile<T> file) throws IOException {
    List<Located<T>> results = new ArrayList<>();
    for (Path folder : folders) {
      results.addAll(file.read(folder));
    }
    return results;
  }

  private static void collect(Path root, TreeSet<Path> folders) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            if (!folder.equals(root) && folder.getFileName().toString().startsWith(".")) {
              return FileVisitResult.SKIP_SUBTREE;
            }
            if (holdsResults(folder) && ArtifactFolder.isDone(folder)) {
              folders.add(folder);
            } else if (holdsResults(folder)) {
              LOG.warn("{} is not marked DONE: its results are skipped", folder);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static boolean holdsResults(Path folder) {
    return ResultFile.ALL.stream().anyMatch(file -> file.isIn(folder));
  }
}
