package org.lengthwise.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.bench.RoundRobinTimer.Variant;
import org.lengthwise.bench.RoundRobinTimer.Workload;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Recurrence;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.training.config.OptimizerConfig;

/**
 * The time of recurrent models against a plain decoder with as many executed layers, by chunk and
 * by length. Three workloads: the likelihood of the last token, the likelihoods of all tokens, and
 * a training step.
 *
 * <p>Source: Figures 6 and 7 of Soulos, Terzić, Hersche and Rahimi, "Recurrent Transformers
 * Trade-off Parallelism for Length Generalization on Regular Languages", 2024.
 *
 * @param lengths the lengths T, shortest first
 * @param batch B, the number of sequences of a pass
 * @param optimizer the optimizer; its largest learning rate is used in every step
 * @param figures the compared models by the names of their figures
 */
public record RecurrenceBench(
    @Unit("tokens") List<Integer> lengths,
    @Unit("sequences") int batch,
    OptimizerConfig optimizer,
    Map<String, Figure> figures)
    implements BenchPart.Sizes {
  private static final Logger LOG = LogManager.getLogger(RecurrenceBench.class);
  private static final String PLAIN = "plain";

  public RecurrenceBench {
    Checks.atLeast("batch", batch, 1);
    lengths = List.copyOf(lengths);
    Checks.require(!lengths.isEmpty(), "lengths", "at least one length", "none");
    lengths.forEach(length -> Checks.atLeast("lengths", length, 1));
    figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
  }

  /**
   * Models that are compared with one plain decoder.
   *
   * @param plain the plain decoder
   * @param recurrences the recurrences of the models, each with the executed layers of the plain
   *     decoder
   */
  public record Figure(ModelConfig plain, List<Recurrence> recurrences) {
    public Figure {
      recurrences = List.copyOf(recurrences);
      Checks.distinct("recurrences", recurrences.stream().map(Recurrence::label).toList());
      Checks.require(
          plain.equals(recurrent(plain, Recurrence.none())),
          "plain",
          "a language model with the blocks of GPT-2 and without recurrence",
          "another model");
      for (Recurrence recurrence : recurrences) {
        Checks.require(
            plain.layers() % recurrence.passes() == 0,
            "plain.layers",
            "a multiple of %s, the passes of %s".formatted(recurrence.passes(), recurrence.label()),
            plain.layers());
        recurrent(plain, recurrence);
      }
    }

    /** The models with recurrence, then the plain decoder. */
    List<ModelConfig> models() {
      List<ModelConfig> models = new ArrayList<>();
      recurrences.forEach(recurrence -> models.add(recurrent(plain, recurrence)));
      models.add(plain);
      return models;
    }

    private static ModelConfig recurrent(ModelConfig plain, Recurrence recurrence) {
      return new ModelConfig(
              plain.layers() / recurrence.passes(),
              plain.width(),
              plain.heads(),
              plain.vocabulary(),
              plain.position())
          .with(recurrence);
    }
  }

  @Override
  public List<BenchRow> run(BenchSetting setting) throws IOException {
    List<BenchRow> rows = new ArrayList<>();
    for (Map.Entry<String, Figure> figure : figures.entrySet()) {
      for (int length : lengths) {
        LOG.info("bench: {}, T = {}", figure.getKey(), length);
        rows.addAll(rows(figure.getKey(), figure.getValue(), length, setting));
      }
    }
    return rows;
  }

  private List<BenchRow> rows(String figure, Figure models, int length, BenchSetting setting)
      throws IOException {
    List<TrainingStep> steps = new ArrayList<>();
    try {
      for (ModelConfig model : models.models()) {
        TrainingBench step = new TrainingBench(1, length, batch, batch, model, optimizer);
        steps.add(TrainingStep.ofDecoder(step, Numerics.of(setting.precision()), setting.device()));
      }
      RandomText text =
          new RandomText(setting.device(), batch, length, models.plain().vocabulary());
      Map<String, ToDoubleFunction<TrainingStep>> passes = new LinkedHashMap<>();
      passes.put("last position", step -> text.last(step.model()));
      passes.put("every position", step -> text.every(step.model()));
      passes.put("training step", TrainingStep::next);
      List<BenchRow> rows = new ArrayList<>();
      passes.forEach(
          (name, pass) ->
              rows.addAll(
                  setting
                      .timer()
                      .run(
                          new Workload(
                              BenchPart.RECURRENCE, figure + ", " + name, length, batch * length),
                          steps.stream().map(step -> variant(step, pass)).toList())));
      return rows;
    } finally {
      steps.forEach(TrainingStep::close);
    }
  }

  private static Variant variant(TrainingStep step, ToDoubleFunction<TrainingStep> pass) {
    Recurrence recurrence = step.model().config().recurrence();
    return recurrence.equals(Recurrence.none())
        ? Variant.of(PLAIN, () -> pass.applyAsDouble(step))
        : Variant.of(recurrence.label(), () -> pass.applyAsDouble(step)).inTimeAgainst(PLAIN);
  }
}
