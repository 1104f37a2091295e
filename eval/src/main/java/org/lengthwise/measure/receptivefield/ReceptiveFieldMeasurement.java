package org.lengthwise.measure.receptivefield;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntUnaryOperator;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.ShardSource;
import org.lengthwise.measure.CheckpointMeasurement;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.result.GradientNorms;
import org.lengthwise.result.GradientNormsFile;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.ReceptiveFieldResult;
import org.lengthwise.result.ResultFile;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.config.TaskConfig;

/**
 * The receptive fields of given checkpoints, on a text or on strings. A cell is one model with one
 * set of weights at one length: a file of gradient norms. The curves are computed from these files.
 */
final class ReceptiveFieldMeasurement
    extends CheckpointMeasurement<ReceptiveFieldMeasurement.Cell> {
  private final ReceptiveField field;
  private final Map<Checkpoint, SampleSource> sources;

  ReceptiveFieldMeasurement(
      ReceptiveField field, List<Checkpoint> checkpoints, ShardSource shards) {
    super(
        checkpoints,
        field.settings(),
        MeasuredModel.ofAll(checkpoints, field.changes()).stream()
            .flatMap(model -> cells(field, model))
            .toList());
    this.field = field;
    this.sources = new LinkedHashMap<>();
    checkpoints.forEach(one -> sources.put(one, SampleSource.of(one, shards, field.bos())));
  }

  record Cell(MeasuredModel model, ModelState state, int length) {

    Path file(Path folder) {
      return folder.resolve(GradientNormsFile.nameFor(model.described(), state, length));
    }
  }

  /**
   * What decides the numbers, in addition to the checkpoints.
   *
   * @param dataSha256 the data's checksum; the key is absent without language models
   */
  private record Description(
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String dataSha256,
      @JsonUnwrapped ReceptiveField field) {}

  @Override
  public String name() {
    return "receptive fields";
  }

  @Override
  protected Record ownDescription() {
    return new Description(
        sources.values().stream()
            .filter(SampleSource.TestSplit.class::isInstance)
            .map(SampleSource::sha256)
            .findFirst()
            .orElse(null),
        field);
  }

  @Override
  public void requireFeasible() throws IOException {
    sources.forEach((checkpoint, source) -> source.requireFeasible(lengths(field, checkpoint)));
    super.requireFeasible();
  }

  private static List<Integer> lengths(ReceptiveField field, Checkpoint checkpoint) {
    return field.lengths().forTraining(checkpoint.origin().length());
  }

  private static Stream<Cell> cells(ReceptiveField field, MeasuredModel model) {
    List<Integer> readable =
        model.readable(lengths(field, model.checkpoint()), IntUnaryOperator.identity());
    return Arrays.stream(ModelState.values())
        .flatMap(state -> readable.stream().map(length -> new Cell(model, state, length)));
  }

  @Override
  public long tokens(Cell cell) {
    return (long) cell.length() * field.samples();
  }

  @Override
  public Set<Cell> finished(Path folder) {
    return cells().stream()
        .filter(cell -> Files.exists(cell.file(folder)))
        .collect(Collectors.toSet());
  }

  @Override
  public String measure(Cell cell, Path folder, LongConsumer done) throws IOException {
    LoadedModel loaded = load(cell.model(), cell.state());
    GradientNorms norms = norms(loaded, cell, done);
    GradientNormsFile.write(folder, cell.model().described(), cell.state(), norms);
    return "%s %s at %s".formatted(cell.model().name(), cell.state().label(), cell.length());
  }

  private GradientNorms norms(LoadedModel loaded, Cell cell, LongConsumer done) {
    GradientProbe probe = new GradientProbe(loaded.model(), loaded.manager());
    int samples = field.samples();
    int length = cell.length();
    SampleSource.Draw draw = source(cell).draw(length, samples, field.seed());
    float[][] norms = new float[samples][];
    int batch = plan(loaded).backwardSequences(length);
    for (int first = 0; first < samples; first += batch) {
      int end = Math.min(samples, first + batch);
      float[][] some = probe.norms(draw.samples().read(first, end));
      System.arraycopy(some, 0, norms, first, some.length);
      done.accept((long) end * length);
    }
    return GradientNorms.of(draw.targets(), norms);
  }

  private SampleSource source(Cell cell) {
    return Objects.requireNonNull(sources.get(cell.model().checkpoint()));
  }

  @Override
  public void summarise(Path folder) throws IOException {
    List<ReceptiveFieldResult> results = new ArrayList<>();
    for (Cell trained : cells()) {
      if (trained.state() == ModelState.TRAINED) {
        Cell untrained = new Cell(trained.model(), ModelState.UNTRAINED, trained.length());
        ModelConfig model = trained.model().model();
        results.add(
            ReceptiveFieldResult.of(
                trained.model().described(),
                trained.model().checkpoint().origin().stringTask().map(TaskConfig::name),
                source(trained).sha256(),
                Math.toIntExact(model.receptiveField(trained.length())),
                source(trained).bos(),
                GradientNormsFile.read(trained.file(folder)),
                GradientNormsFile.read(untrained.file(folder))));
      }
    }
    ResultFile.RECEPTIVE_FIELDS.write(folder, results);
  }
}
