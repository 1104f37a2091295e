package org.lengthwise.experiment;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.ResultFile;

/** Reads the perplexities of an experiment's runs, each folder of results once. */
final class NewPerplexities {
  private final Set<Path> read = new HashSet<>();

  /**
   * {@return a row for each run, seed and protocol of a folder of results, in the order of the
   * folder; empty if the folder is not finished, was read before, or has no perplexities}
   */
  List<String> in(Path results) throws IOException {
    if (read.contains(results)
        || !ArtifactFolder.isDone(results)
        || !ResultFile.EVALUATIONS.isIn(results)) {
      return List.of();
    }
    read.add(results);
    Map<String, List<String>> rows = new LinkedHashMap<>();
    for (EvaluationResult result : ResultFile.EVALUATIONS.values(results)) {
      String row =
          "%s seed %s, %s".formatted(result.run(), result.seed(), result.protocol().label());
      rows.computeIfAbsent(row, key -> new ArrayList<>())
          .add(String.format(Locale.ROOT, "%.2f at %d", result.perplexity(), result.length()));
    }
    return rows.entrySet().stream()
        .map(
            row ->
                "perplexity of %s: %s".formatted(row.getKey(), String.join(", ", row.getValue())))
        .toList();
  }
}
