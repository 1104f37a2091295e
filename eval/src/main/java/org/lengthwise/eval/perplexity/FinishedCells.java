package org.lengthwise.eval.perplexity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.eval.result.EvaluationFile;
import org.lengthwise.eval.result.EvaluationResult;
import org.lengthwise.eval.result.Located;
import org.lengthwise.eval.result.NllFile;
import org.lengthwise.eval.result.ScoredTargets;

/**
 * The cells of a growing results folder that are on the disk. A cell's rows are there before its
 * line is, so a line stands for a whole cell at every moment.
 */
final class FinishedCells {
  private final Workspace workspace;
  private final List<EvaluationResult> results = new ArrayList<>();

  private FinishedCells(Workspace workspace) {
    this.workspace = workspace;
  }

  /**
   * Finds what earlier attempts have finished.
   *
   * @param workspace where the folder grows
   * @return its cells
   * @throws IOException if a file cannot be read
   * @throws DataFormatException if a line and its rows do not agree
   */
  static FinishedCells in(Workspace workspace) throws IOException {
    Path folder = workspace.content();
    FinishedCells cells = new FinishedCells(workspace);
    if (Files.exists(folder.resolve(EvaluationFile.NAME))) {
      for (Located<EvaluationResult> line : EvaluationFile.read(folder)) {
        requireRows(folder, line);
        cells.results.add(line.value());
      }
    }
    return cells;
  }

  private static void requireRows(Path folder, Located<EvaluationResult> line) throws IOException {
    Path rows = folder.resolve(NllFile.nameFor(line.value()));
    if (NllFile.read(rows).scored().nllSum() != line.value().nllSum()) {
      throw new DataFormatException(
          line.place(),
          "the sum of the rows in " + rows,
          "another",
          "remove the folder, and evaluate the checkpoint again");
    }
  }

  boolean contain(Cell cell) {
    return results.stream().anyMatch(cell::isOf);
  }

  int count() {
    return results.size();
  }

  /** Rows first, then the note that makes them worth keeping, and last the line that counts. */
  void add(EvaluationResult result, ScoredTargets scored) throws IOException {
    NllFile.write(workspace.content(), result, scored);
    results.add(result);
    new Note(results.size()).write(workspace);
    EvaluationFile.write(workspace.content(), results);
  }
}
