package org.lengthwise.eval.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.lengthwise.eval.result.EvaluationResult;

/** Which models stand behind the numbers: one row for each run. */
final class ModelTable {
  private ModelTable() {}

  /** Spells the table out. */
  static TableText of(List<EvaluationResult> results) {
    Map<String, List<EvaluationResult>> byRun =
        results.stream()
            .collect(
                Collectors.groupingBy(
                    EvaluationResult::run, LinkedHashMap::new, Collectors.toList()));
    return new TableText(
        "Models",
        List.of("run", "scheme", "T_tr", "step", "seeds"),
        byRun.values().stream().map(ModelTable::row).toList(),
        List.of(),
        List.of(),
        "llrrl");
  }

  private static List<TableText.Entry> row(List<EvaluationResult> ofRun) {
    EvaluationResult first = ofRun.get(0);
    return TableText.line(
        first.run(),
        List.of(
            first.scheme(),
            Numbers.count(first.trainLength()),
            distinct(ofRun, result -> Numbers.count(result.step())),
            distinct(ofRun, result -> Long.toString(result.seed()))));
  }

  private static String distinct(
      List<EvaluationResult> results, Function<EvaluationResult, String> property) {
    return results.stream().map(property).distinct().collect(Collectors.joining(" "));
  }
}
