package org.lengthwise.eval.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.eval.result.CumulativeGradient;
import org.lengthwise.eval.result.CumulativeGradient.Point;
import org.lengthwise.eval.result.ModelState;
import org.lengthwise.eval.result.ReceptiveFieldResult;
import org.lengthwise.eval.statistics.Estimate;
import org.lengthwise.eval.statistics.PositionBin;

/**
 * The numbers behind the charts of the page, as the JSON that {@code report.json} has and the page
 * carries with fewer digits. Means are of negative log-likelihoods in nats where the name does not
 * say perplexity; intervals are {@code low} and {@code high}.
 *
 * @param formatVersion the version of this record, {@link #FORMAT_VERSION}
 * @param confidence the share that intervals hold
 * @param toleratedRatio the perplexity at T over that at T_tr up to which a scheme extrapolates
 * @param explosiveRatio the same from which on it explodes
 * @param runs every run in the order of its colours
 * @param perplexities a table of each protocol
 * @param receptiveFields receptive fields by length
 * @param positions losses by position, of each protocol that scores whole windows
 * @param training the losses of each run and seed
 */
record PageData(
    int formatVersion,
    double confidence,
    double toleratedRatio,
    double explosiveRatio,
    List<Run> runs,
    List<Table> perplexities,
    List<Field> receptiveFields,
    List<Positions> positions,
    List<Training> training) {
  private static final int FORMAT_VERSION = 1;

  /** A run and its heading. */
  record Run(String run, String heading) {}

  /** One protocol. */
  record Table(
      String protocol,
      List<Integer> trainLengths,
      List<Integer> lengths,
      List<Series> series,
      List<Pair> differences) {}

  /** A run under one protocol. */
  record Series(
      String run,
      @Nullable String outcome,
      @Nullable String verdict,
      List<Mean> points,
      List<Change> changes) {}

  /** The perplexity of the mean over seeds, and its interval, null where values are missing. */
  record Mean(
      int length, double perplexity, int seeds, @Nullable Double low, @Nullable Double high) {}

  /** The paired change since the training length. */
  record Change(int length, double mean, double low, double high, int tokens, int seeds) {}

  /** The paired difference of two runs. */
  record Pair(
      int length,
      String first,
      String second,
      double mean,
      double low,
      double high,
      int tokens,
      int seeds) {}

  /** Receptive fields at one length. */
  record Field(int length, List<Integer> trainLengths, List<FieldSeries> series) {}

  /** A run's curves, averaged over seeds, by the most recent tokens counted. */
  record FieldSeries(
      String run,
      int trainLength,
      int seeds,
      int theoretical,
      List<Effective> effective,
      double[] tokens,
      Shares trained,
      Shares untrained) {}

  /** How many of the most recent tokens hold a share of the trained model's gradient. */
  record Effective(double share, double tokens) {}

  /** Shares of the gradient with the ends of their band. */
  record Shares(double[] mean, double[] low, double[] high) {}

  /** Losses by position at a protocol's longest length. */
  record Positions(
      String protocol, int length, List<Integer> trainLengths, List<PositionSeries> series) {}

  /** A run's losses by position. */
  record PositionSeries(String run, List<Bin> bins) {}

  /** The mean loss at some neighbouring positions. */
  record Bin(int first, int last, double middle, double mean, double low, double high) {}

  /** A run's losses under one seed. */
  record Training(String run, long seed, LossPoints training, LossPoints validation) {}

  /** Gathers the numbers. */
  static PageData of(ReportContent content) {
    ReportConfig config = content.config();
    return new PageData(
        FORMAT_VERSION,
        config.bootstrap().confidence(),
        config.verdict().toleratedRatio(),
        config.verdict().explosiveRatio(),
        content.runs().stream().map(run -> new Run(run, RunName.heading(run))).toList(),
        content.statistics().stream().map(PageData::table).toList(),
        fields(content.receptiveFields()),
        content.statistics().stream()
            .filter(table -> !table.byPosition().isEmpty())
            .map(PageData::positions)
            .toList(),
        content.trained().stream()
            .map(run -> new Training(run.run(), run.seed(), run.training(), run.validation()))
            .toList());
  }

  /** The lengths that a run's receptive field was measured at, rising. */
  List<Integer> fieldLengths(String run) {
    return receptiveFields.stream()
        .filter(field -> field.series().stream().anyMatch(series -> series.run().equals(run)))
        .map(Field::length)
        .toList();
  }

  /** The JSON with every digit, for {@code report.json}. */
  String json() {
    StringWriter text = new StringWriter();
    write(text, UnaryOperator.identity());
    return text.toString();
  }

  /** The JSON as the page has it: short, and ready to stand in a script element. */
  String shortJson() {
    StringWriter text = new StringWriter();
    write(text, ShortNumbers::new);
    return text.toString().replace("<", "\\u003c"); // no character of it opens a tag
  }

  private void write(StringWriter text, UnaryOperator<JsonGenerator> form) {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    try (JsonGenerator json = form.apply(mapper.createGenerator(text))) {
      mapper.writeValue(json, this);
    } catch (IOException e) {
      throw new UncheckedIOException("text in memory cannot be written", e);
    }
  }

  private static Table table(TableStatistics statistics) {
    PerplexityTable table = statistics.table();
    return new Table(
        table.protocol().label(),
        table.trainLengths(),
        table.lengths(),
        table.columns().stream().map(column -> series(statistics, column)).toList(),
        statistics.differences().stream().map(PageData::pair).toList());
  }

  private static Series series(TableStatistics statistics, Column column) {
    PerplexityTable table = statistics.table();
    List<Mean> points = new ArrayList<>();
    for (int length : table.lengths()) {
      table
          .cell(column, length)
          .ifPresent(
              cell -> points.add(mean(length, cell, statistics.mean(column, length).orElse(null))));
    }
    List<Change> changes = new ArrayList<>();
    statistics.changesOf(column).forEach((length, change) -> changes.add(change(length, change)));
    return new Series(
        column.run(),
        statistics.verdict(column).map(verdict -> verdict.outcome().label()).orElse(null),
        statistics.verdict(column).map(verdict -> verdict.words()).orElse(null),
        points,
        changes);
  }

  private static Mean mean(int length, Cell cell, @Nullable Estimate mean) {
    return new Mean(
        length,
        cell.ofMeanNll(),
        cell.numSeeds(),
        mean == null ? null : Math.exp(mean.interval().low()),
        mean == null ? null : Math.exp(mean.interval().high()));
  }

  private static Change change(int length, Estimate change) {
    return new Change(
        length,
        change.mean(),
        change.interval().low(),
        change.interval().high(),
        change.numTokens(),
        change.numSeeds());
  }

  private static Pair pair(Difference difference) {
    Estimate nll = difference.nll();
    return new Pair(
        difference.length(),
        difference.first().run(),
        difference.second().run(),
        nll.mean(),
        nll.interval().low(),
        nll.interval().high(),
        nll.numTokens(),
        nll.numSeeds());
  }

  private static Positions positions(TableStatistics statistics) {
    List<PositionSeries> series = new ArrayList<>();
    statistics
        .byPosition()
        .forEach(
            (column, bins) ->
                series.add(
                    new PositionSeries(
                        column.run(),
                        bins.entrySet().stream()
                            .map(bin -> bin(bin.getKey(), bin.getValue()))
                            .toList())));
    return new Positions(
        statistics.table().protocol().label(),
        statistics.longest(),
        statistics.table().trainLengths(),
        series);
  }

  private static Bin bin(PositionBin bin, Estimate nll) {
    return new Bin(
        bin.first(),
        bin.last(),
        bin.middle(),
        nll.mean(),
        nll.interval().low(),
        nll.interval().high());
  }

  private static List<Field> fields(List<ReceptiveFieldResult> results) {
    SortedMap<Integer, List<ReceptiveFieldMean>> byLength =
        ReceptiveFieldMean.of(results).stream()
            .collect(
                Collectors.groupingBy(
                    ReceptiveFieldMean::length, TreeMap::new, Collectors.toList()));
    List<Field> fields = new ArrayList<>();
    byLength.forEach(
        (length, means) ->
            fields.add(
                new Field(
                    length,
                    means.stream()
                        .map(ReceptiveFieldMean::trainLength)
                        .distinct()
                        .sorted()
                        .toList(),
                    means.stream().map(PageData::fieldSeries).toList())));
    return fields;
  }

  private static FieldSeries fieldSeries(ReceptiveFieldMean mean) {
    return new FieldSeries(
        mean.run(),
        mean.trainLength(),
        mean.seeds().size(),
        mean.theoretical(),
        CumulativeGradient.SHARES.stream()
            .map(share -> new Effective(share, mean.effective(ModelState.TRAINED, share)[0]))
            .toList(),
        mean.tokens(),
        shares(mean, ModelState.TRAINED),
        shares(mean, ModelState.UNTRAINED));
  }

  private static Shares shares(ReceptiveFieldMean mean, ModelState state) {
    return new Shares(
        mean.curve(state, Point::share),
        mean.curve(state, Point::low),
        mean.curve(state, Point::high));
  }
}
