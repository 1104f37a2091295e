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
 * @param evaluations the evaluations, in the order of the roots and then of their paths
 * @param receptiveFields the receptive fields, in the same order
 * @param accuracies the accuracies, in the same order
 * @param states the outputs of classifiers, in the same order
 */
public record FinishedResults(
    List<Located<EvaluationResult>> evaluations,
    List<Located<ReceptiveFieldResult>> receptiveFields,
    List<Located<AccuracyResult>> accuracies,
    List<Located<StatesResult>> states) {
  private static final Logger LOG = LogManager.getLogger(FinishedResults.class);

  /** Copies the lists. */
  public FinishedResults {
    evaluations = List.copyOf(evaluations);
    receptiveFields = List.copyOf(receptiveFields);
    accuracies = List.copyOf(accuracies);
    states = List.copyOf(states);
  }

  /**
   * Whether nothing was found.
   *
   * @return true without any result
   */
  public boolean isEmpty() {
    return evaluations.isEmpty()
        && receptiveFields.isEmpty()
        && accuracies.isEmpty()
        && states.isEmpty();
  }

  /**
   * Finds the results below folders, at any depth. A folder with results but without the marker
   * DONE is logged and skipped. Hidden folders hold unfinished work and are skipped.
   *
   * @param roots the folders to search; a results folder below two roots counts once
   * @return the results, possibly none
   * @throws IOException if a folder cannot be read
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
    List<Located<EvaluationResult>> evaluations = new ArrayList<>();
    List<Located<ReceptiveFieldResult>> receptiveFields = new ArrayList<>();
    List<Located<AccuracyResult>> accuracies = new ArrayList<>();
    List<Located<StatesResult>> states = new ArrayList<>();
    for (Path folder : folders) {
      evaluations.addAll(ResultFile.EVALUATIONS.read(folder));
      receptiveFields.addAll(ResultFile.RECEPTIVE_FIELDS.read(folder));
      accuracies.addAll(ResultFile.ACCURACIES.read(folder));
      states.addAll(ResultFile.STATES.read(folder));
    }
    return new FinishedResults(evaluations, receptiveFields, accuracies, states);
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
    return ResultFile.EVALUATIONS.isIn(folder)
        || ResultFile.RECEPTIVE_FIELDS.isIn(folder)
        || ResultFile.ACCURACIES.isIn(folder)
        || ResultFile.STATES.isIn(folder);
  }
}
