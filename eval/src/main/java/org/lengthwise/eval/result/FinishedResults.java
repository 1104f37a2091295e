package org.lengthwise.eval.result;

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
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;

/**
 * Everything measured below some folders.
 *
 * @param evaluations the evaluations, root after root as named, and within each in the order of
 *     their paths
 * @param receptiveFields the receptive fields, likewise
 */
public record FinishedResults(
    List<Located<EvaluationResult>> evaluations,
    List<Located<ReceptiveFieldResult>> receptiveFields) {
  private static final Logger LOG = LogManager.getLogger(FinishedResults.class);

  /** Copies the lists. */
  public FinishedResults {
    evaluations = List.copyOf(evaluations);
    receptiveFields = List.copyOf(receptiveFields);
  }

  /**
   * Finds the results below folders, at any depth. Only folders marked DONE count: a folder that
   * holds results without the mark is named in the log and passed over. Hidden folders, which hold
   * unfinished work, are not entered.
   *
   * @param roots the folders to search; one reached twice counts once
   * @return what was found, possibly nothing
   * @throws IOException if a folder cannot be read
   * @throws ConfigException if a root is not a folder
   */
  public static FinishedResults under(List<Path> roots) throws IOException {
    Set<Path> folders = new LinkedHashSet<>();
    for (Path root : roots) {
      if (!Files.isDirectory(root)) {
        throw new ConfigException(
            "--results " + root, "a folder", "none", "name the folder that the results lie under");
      }
      TreeSet<Path> below = new TreeSet<>();
      collect(root.toRealPath(), below);
      folders.addAll(below);
    }
    List<Located<EvaluationResult>> evaluations = new ArrayList<>();
    List<Located<ReceptiveFieldResult>> receptiveFields = new ArrayList<>();
    for (Path folder : folders) {
      if (Files.isRegularFile(folder.resolve(EvaluationFile.NAME))) {
        evaluations.addAll(EvaluationFile.read(folder));
      }
      if (Files.isRegularFile(folder.resolve(ReceptiveFieldFile.NAME))) {
        receptiveFields.addAll(ReceptiveFieldFile.read(folder));
      }
    }
    return new FinishedResults(evaluations, receptiveFields);
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
              LOG.warn("{} is not marked DONE: its results are left out", folder);
            }
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static boolean holdsResults(Path folder) {
    return Files.isRegularFile(folder.resolve(EvaluationFile.NAME))
        || Files.isRegularFile(folder.resolve(ReceptiveFieldFile.NAME));
  }
}
