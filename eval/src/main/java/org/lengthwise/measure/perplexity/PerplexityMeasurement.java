package org.lengthwise.measure.perplexity;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.NllFile;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.ScoredTargets;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.training.checkpoint.Checkpoint;

/**
 * An evaluation of given checkpoints and baselines on given data. A cell is one model under one
 * protocol at one length: a line of {@code results.jsonl} and a file of rows. The rows are stored
 * first, so each line has its rows.
 */
final class PerplexityMeasurement extends CheckpointMeasurement<PerplexityMeasurement.Cell> {
  private final Evaluation evaluation;
  private final List<Baseline> baselines;
  private final ShardFolder shards;
  private final String dataSha256;
  private final Map<Sample, ScoredWindows> windows = new LinkedHashMap<>();
  private final BaselineScorer scorer;
  private final List<Checkpoint> checkpoints;
  private @Nullable TargetBytes targetBytes;

  private record Sample(ProtocolConfig protocol, int length) {}

  PerplexityMeasurement(
      Evaluation evaluation,
      List<Checkpoint> checkpoints,
      List<Baseline> baselines,
      ShardFolder shards) {
    super(
        checkpoints,
        evaluation.config().settings(),
        Stream.concat(
                MeasuredModel.ofAll(checkpoints, evaluation.config().changes()).stream()
                    .flatMap(model -> cells(evaluation, model)),
                baselines.stream().flatMap(baseline -> cells(evaluation, baseline)))
            .toList());
    this.evaluation = evaluation;
    this.checkpoints = checkpoints;
    this.baselines = baselines;
    this.shards = shards;
    this.dataSha256 = DataIdentity.of(shards.manifest()).sha256();
    WindowDraw draw = evaluation.draw(shards);
    for (Cell cell : cells()) {
      windows.computeIfAbsent(
          new Sample(cell.protocol(), cell.length()),
          sample -> draw.windows(sample.protocol(), sample.length()));
    }
    this.scorer = new BaselineScorer(shards, baselines, List.copyOf(windows.values()));
  }

  /**
   * One line of results.
   *
   * @param subject a {@link MeasuredModel} or a {@link Baseline}
   * @param length T_ex
   */
  record Cell(Record subject, EvaluatedCheckpoint described, ProtocolConfig protocol, int length) {

    boolean isOf(EvaluationResult result) {
      return result.subject().isSameModel(described)
          && result.protocol() == protocol.protocol()
          && result.length() == length;
    }

    @Override
    public String toString() {
      return "%s seed %s, %s at %s"
          .formatted(described.run(), described.seed(), protocol.protocol().label(), length);
    }
  }

  /**
   * What decides the numbers, in addition to the checkpoints.
   *
   * @param baselines the baselines; the key is absent if there are none
   * @param longest the longest length of all models, which decides the windows; the key is absent
   *     if it is one of the lengths
   */
  private record Description(
      @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Baseline> baselines,
      String dataSha256,
      EvaluationConfig config,
      Lengths lengths,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable Integer longest) {}

  @Override
  public String name() {
    return "evaluate";
  }

  @Override
  protected Record ownDescription() {
    Lengths lengths = evaluation.lengths();
    int longest = evaluation.longest();
    return new Description(
        baselines,
        dataSha256,
        evaluation.config(),
        lengths,
        lengths.values().contains(longest) ? null : longest);
  }

  @Override
  public void requireFeasible() {
    evaluation.requireWindows(shards);
  }

  private static Stream<Cell> cells(Evaluation evaluation, MeasuredModel model) {
    // The model does not read the last token of a window, which is a target only.
    List<Integer> readable = model.readable(evaluation.lengths(), length -> length - 1);
    return cells(evaluation, model, model.described(), readable);
  }

  private static Stream<Cell> cells(Evaluation evaluation, Baseline baseline) {
    return cells(evaluation, baseline, baseline.described(), evaluation.lengths().all());
  }

  private static Stream<Cell> cells(
      Evaluation evaluation, Record subject, EvaluatedCheckpoint described, List<Integer> lengths) {
    return evaluation.config().protocols().stream()
        .flatMap(
            protocol ->
                lengths.stream().map(length -> new Cell(subject, described, protocol, length)));
  }

  @Override
  public long tokens(Cell cell) {
    return windows(cell).numTokens();
  }

  @Override
  public Set<Cell> finished(Path folder) throws IOException {
    List<Located<EvaluationResult>> lines = ResultFile.EVALUATIONS.read(folder);
    for (Located<EvaluationResult> line : lines) {
      requireRows(folder, line);
    }
    return finished(lines, (cell, line) -> cell.isOf(line.value()));
  }

  private static void requireRows(Path folder, Located<EvaluationResult> line) throws IOException {
    Path rows = folder.resolve(NllFile.nameFor(line.value()));
    if (NllFile.read(rows).scored().nllSum() != line.value().sums().sum()) {
      throw new DataFormatException(
          line.place(),
          "the sum of the rows in " + rows,
          "another sum",
          "remove the folder, and evaluate the checkpoint again");
    }
  }

  @Override
  public String measure(Cell cell, Path folder, LongConsumer done) throws IOException {
    ScoredWindows windows = windows(cell);
    double[] nlls = score(cell, windows, done);
    ScoredTargets scored = windows.with(nlls);
    EvaluationResult result =
        EvaluationResult.of(
                cell.described(),
                cell.protocol().protocol(),
                evaluation.config().withinDocument(),
                cell.length(),
                scored,
                dataSha256)
            .with(targetBytes().of(scored, shards.tokens(Split.TEST)))
            .withBos(bos(cell));
    NllFile.write(folder, result, scored);
    ResultFile.EVALUATIONS.append(folder, result);
    return String.format(Locale.ROOT, "%s: %.3f", cell, result.perplexity());
  }

  private TargetBytes targetBytes() {
    if (targetBytes == null) {
      targetBytes = new TargetBytes(shards.manifest().tokenizer(), checkpoints);
    }
    return targetBytes;
  }

  /** The token that begins each window; a baseline has none. */
  private Optional<Integer> bos(Cell cell) {
    return cell.subject() instanceof MeasuredModel model
        ? evaluation.config().bos().of(model.checkpoint().origin().bos())
        : Optional.empty();
  }

  private double[] score(Cell cell, ScoredWindows windows, LongConsumer done) throws IOException {
    TokenStream test = shards.tokens(Split.TEST);
    if (cell.subject() instanceof Baseline baseline) {
      double[] nlls = scorer.score(baseline, windows, () -> done.accept(0));
      done.accept(windows.numTokens());
      return nlls;
    }
    LoadedModel loaded = load((MeasuredModel) cell.subject(), ModelState.TRAINED);
    return new WindowEvaluator(loaded.model(), loaded.manager(), plan(loaded), bos(cell))
        .score(test, windows, numScored -> done.accept(numScored * windows.length()));
  }

  private ScoredWindows windows(Cell cell) {
    return Objects.requireNonNull(windows.get(new Sample(cell.protocol(), cell.length())));
  }

  @Override
  public void close() {
    super.close();
    scorer.close();
  }
}
