package org.lengthwise.report.perplexity;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import org.lengthwise.report.form.Columns;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.PaperFile;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.TableText;
import org.lengthwise.result.EvaluatedCheckpoint;

/**
 * The paper's Table 3: perplexity on OpenWebText2 after training at length {@value #TRAIN_LENGTH},
 * mean of three seeds.
 */
final class PaperTable {
  static final int TRAIN_LENGTH = 512;

  /** Perplexities with different tokenizers are not comparable. */
  private static final String TOKENIZER = "gpt2";

  private static final int LAYERS = 12;
  private static final int WIDTH = 768;

  private record Entry(String run, int length) {}

  private final Map<Entry, Double> perplexities;

  private PaperTable(Map<Entry, Double> perplexities) {
    this.perplexities = Map.copyOf(perplexities);
  }

  static PaperTable load() {
    return new PaperTable(
        PaperFile.lines(PaperTable.class, "paper-table-3.csv").stream()
            .collect(
                Collectors.toMap(
                    fields -> new Entry(fields[0], Integer.parseInt(fields[1])),
                    fields -> Double.parseDouble(fields[2]))));
  }

  /** The whole table, for reports whose runs were not trained like those of the paper. */
  TableText text() {
    List<String> runs =
        perplexities.keySet().stream()
            .map(Entry::run)
            .distinct()
            .sorted(RunName.paperFirst())
            .toList();
    Columns<Integer> text = new Columns<Integer>().number("T_ex", length -> length);
    for (String run : runs) {
      text.number(
          RunName.heading(run),
          length ->
              Optional.ofNullable(perplexities.get(new Entry(run, length)))
                  .map(PerplexityNumbers::perplexity)
                  .orElse(Numbers.MISSING));
    }
    return text.of(
        "Table 3 of Chi et al., Findings of EMNLP 2023",
        perplexities.keySet().stream().map(Entry::length).distinct().sorted().toList(),
        List.of(
            "Perplexity on OpenWebText2 after 50,000 steps at T_tr = 512, mean of three seeds."
                + " Data, models and training length differ from ours: compare the shape of"
                + " columns, not their level."));
  }

  /**
   * The paper's number for a run. It is empty unless the run, its training length and its tokenizer
   * are those of the paper, or if the model of the run is unknown.
   */
  OptionalDouble perplexity(PerplexityTable table, Column column, int length) {
    Double perplexity = perplexities.get(new Entry(column.run(), length));
    return perplexity == null || !isAlike(table, column)
        ? OptionalDouble.empty()
        : OptionalDouble.of(perplexity);
  }

  /**
   * The perplexity of a column at a multiple of its training length, divided by that at the
   * training length.
   */
  OptionalDouble ratio(String column, int multiple) {
    Double base = perplexities.get(new Entry(column, TRAIN_LENGTH));
    Double beyond = perplexities.get(new Entry(column, multiple * TRAIN_LENGTH));
    return base == null || beyond == null
        ? OptionalDouble.empty()
        : OptionalDouble.of(beyond / base);
  }

  static boolean isAlike(PerplexityTable table, Column column) {
    return column.trainLength() == TRAIN_LENGTH
        && table
            .model(column)
            .map(EvaluatedCheckpoint.Model::tokenizer)
            .equals(Optional.of(TOKENIZER));
  }

  /** A sentence that names the comparable runs with a model of another size than the paper's. */
  Optional<String> otherSizes(PerplexityTable table) {
    List<String> others =
        table.columns().stream()
            .filter(column -> isAlike(table, column) && RunName.isOfThePaper(column.run()))
            .flatMap(column -> otherSize(column, table.model(column).orElseThrow()).stream())
            .toList();
    return others.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "Models of another size than in the paper: " + String.join("; ", others) + ".");
  }

  private static Optional<String> otherSize(Column column, EvaluatedCheckpoint.Model model) {
    int layers = RunName.thickness(column.run()).orElse(LAYERS);
    return model.layers() == layers && model.width() == WIDTH
        ? Optional.empty()
        : Optional.of(
            "%s has %s blocks of width %s, in the paper %s of %s"
                .formatted(column.heading(), model.layers(), model.width(), layers, WIDTH));
  }
}
