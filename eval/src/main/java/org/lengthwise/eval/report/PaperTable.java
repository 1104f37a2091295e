package org.lengthwise.eval.report;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * The paper's Table 3: perplexity on OpenWebText2 after training at length {@value #TRAIN_LENGTH},
 * mean of three seeds.
 */
final class PaperTable {
  /** The training length of every column of the table. */
  static final int TRAIN_LENGTH = 512;

  private static final String RESOURCE = "paper-table-3.csv";

  private record Entry(String run, int length) {}

  private final Map<Entry, Double> perplexities;

  private PaperTable(Map<Entry, Double> perplexities) {
    this.perplexities = Map.copyOf(perplexities);
  }

  /** Reads the numbers that the software carries. */
  static PaperTable load() {
    try (InputStream in = PaperTable.class.getResourceAsStream(RESOURCE)) {
      if (in == null) {
        throw new IllegalStateException("the jar lacks " + RESOURCE);
      }
      Map<Entry, Double> perplexities = new HashMap<>();
      BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
      lines
          .lines()
          .skip(1)
          .map(line -> line.split(",", 3))
          .forEach(
              fields ->
                  perplexities.put(
                      new Entry(fields[0], Integer.parseInt(fields[1])),
                      Double.parseDouble(fields[2])));
      return new PaperTable(perplexities);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The whole table, to stand apart from runs that were not trained as the paper's. */
  TableText text() {
    List<String> runs =
        perplexities.keySet().stream()
            .map(Entry::run)
            .distinct()
            .sorted(RunName.paperFirst())
            .toList();
    return new TableText(
        "Table 3 of Chi et al., Findings of EMNLP 2023",
        Stream.concat(Stream.of("T_ex"), runs.stream().map(RunName::heading)).toList(),
        perplexities.keySet().stream()
            .map(Entry::length)
            .distinct()
            .sorted()
            .map(length -> TableText.line(Integer.toString(length), at(length, runs)))
            .toList(),
        List.of(),
        List.of(
            "Perplexity on OpenWebText2 after 50,000 steps at T_tr = 512, mean of three seeds. Other"
                + " data, other models and another training length: compare the shape of columns, not"
                + " their level."));
  }

  private List<String> at(int length, List<String> runs) {
    return runs.stream()
        .map(run -> perplexities.get(new Entry(run, length)))
        .map(perplexity -> perplexity == null ? Numbers.MISSING : Numbers.perplexity(perplexity))
        .toList();
  }

  /** The paper's number for a run, when the run and its training length are the paper's. */
  OptionalDouble perplexity(Column column, int length) {
    Double perplexity = perplexities.get(new Entry(column.run(), length));
    return perplexity == null || column.trainLength() != TRAIN_LENGTH
        ? OptionalDouble.empty()
        : OptionalDouble.of(perplexity);
  }
}
