package org.lengthwise.report.accuracy;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import org.lengthwise.report.form.PaperFile;

/**
 * The numbers of the paper on regular languages, in per cent: Table 1, accuracy beyond the training
 * length, and Table 2, PARITY with other probabilities of b.
 */
final class PaperStrings {
  private final Map<List<String>, Score> first = new HashMap<>();
  private final Map<List<String>, Double> second = new HashMap<>();

  /**
   * A cell of Table 1.
   *
   * @param average the average of three seeds
   */
  record Score(double max, double average) {}

  private PaperStrings() {}

  static PaperStrings load() {
    PaperStrings paper = new PaperStrings();
    for (String[] line : PaperFile.lines(PaperStrings.class, "paper-table-1.csv")) {
      Score score = new Score(Double.parseDouble(line[2]), Double.parseDouble(line[3]));
      paper.first.put(List.of(line[0], line[1]), score);
    }
    for (String[] line : PaperFile.lines(PaperStrings.class, "paper-table-2.csv")) {
      paper.second.put(List.of(line[0], line[1], line[2]), Double.parseDouble(line[3]));
    }
    return paper;
  }

  /** Table 1: empty for a task or a model that the paper does not have. */
  Optional<Score> score(String task, StringModel model) {
    return Optional.ofNullable(first.get(List.of(task, model.key())));
  }

  /**
   * The accuracy of the best constant answer on the lengths of the paper's Table 1. The paper does
   * not print it.
   */
  double constant(String task) {
    return Objects.requireNonNull(first.get(List.of(task, "constant")), task).max();
  }

  /**
   * Table 2.
   *
   * @param isBeyond lengths beyond 40; otherwise length 40
   */
  OptionalDouble shifted(StringModel model, boolean isBeyond, double p) {
    Double accuracy =
        second.get(List.of(isBeyond ? "beyond" : "40", model.key(), Double.toString(p)));
    return accuracy == null ? OptionalDouble.empty() : OptionalDouble.of(accuracy);
  }
}
