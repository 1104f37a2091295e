package org.lengthwise.bench;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Recurrence;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.config.OptimizerConfig;

/**
 * The time of recurrent models against a plain decoder with as many executed layers, by chunk and
 * by length. Three workloads: the likelihood of the last token, the likelihoods of all tokens, and
 * a training step.
 *
 * <p>Source: Figures 6 and 7 of Soulos, Terzić, Hersche and Rahimi, "Recurrent Transformers
 * Trade-off Parallelism for Length Generalization on Regular Languages", 2024.
 *
 * @param sizes the shapes and the models
 * @param precision the format of the products
 */
record RecurrenceBench(Sizes sizes, Precision precision, RoundRobinTimer timer) {
  private static final Logger LOG = LogManager.getLogger(RecurrenceBench.class);
  private static final long SEED = 1;
  private static final String PLAIN = "plain";

  /**
   * The shapes and the models of the part recurrence.
   *
   * @param lengths the lengths T, shortest first
   * @param batch B, the number of sequences of a pass
   * @param optimizer the optimizer; its largest learning rate is used in every step
   * @param figures the compared models by the names of their figures
   */
  public record Sizes(
      @Unit("tokens") List<Integer> lengths,
      @Unit("sequences") int batch,
      OptimizerConfig optimizer,
      Map<String, Figure> figures) {
    /** Requires positive numbers. */
    public Sizes {
      Checks.atLeast("batch", batch, 1);
      lengths = List.copyOf(lengths);
      Checks.require(!lengths.isEmpty(), "lengths", "at least one length", "none");
      lengths.forEach(length -> Checks.atLeast("lengths", length, 1));
      figures = Collections.unmodifiableMap(new LinkedHashMap<>(figures));
    }
  }

  /**
   * Models that are compared with one plain decoder.
   *
   * @param plain the plain decoder
   * @param recurrences the recurrences of the models, each with the executed layers of the plain
   *     decoder
   */
  public record Figure(ModelConfig plain, List<Recurrence> recurrences) {
    /** Requires a number of layers that every recurrence can execute. */
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

  /** Every model of every figure at every length. */
  List<BenchRow> run(Device device) throws IOException {
    List<BenchRow> rows = new ArrayList<>();
    for (Map.Entry<String, Figure> figure : sizes.figures().entrySet()) {
      for (int length : sizes.lengths()) {
        LOG.info("bench: {}, T = {}", figure.getKey(), length);
        rows.addAll(rows(figure.getKey(), figure.getValue(), length, device));
      }
    }
    return rows;
  }

  private List<BenchRow> rows(String figure, Figure models, int length, Device device)
      throws IOException {
    List<TrainingStep> steps = new ArrayList<>();
    try (NDManager manager = NDManager.newBaseManager(device, "PyTorch")) {
      for (ModelConfig model : models.models()) {
        TrainingSizes step =
            new TrainingSizes(1, length, sizes.batch(), sizes.batch(), model, sizes.optimizer());
        steps.add(TrainingStep.ofDecoder(step, precision, device));
      }
      long[] ids =
          new RandomStreams(SEED)
              .stream("tokens")
                  .longs((long) sizes.batch() * length, 0, models.plain().vocabulary())
                  .toArray();
      NDArray tokens_BT = manager.create(ids, new Shape(sizes.batch(), length));
      List<BenchRow> rows = new ArrayList<>();
      rows.addAll(
          rows(figure + ", last position", length, steps, step -> last(step.model(), tokens_BT)));
      rows.addAll(
          rows(figure + ", every position", length, steps, step -> every(step.model(), tokens_BT)));
      rows.addAll(rows(figure + ", training step", length, steps, TrainingStep::next));
      return rows;
    } finally {
      steps.forEach(TrainingStep::close);
    }
  }

  /** One workload. The last step is that of the plain decoder. */
  private List<BenchRow> rows(
      String workload, int length, List<TrainingStep> steps, ToDoubleFunction<TrainingStep> pass) {
    List<RoundRobinTimer.Variant> variants =
        IntStream.range(0, steps.size())
            .mapToObj(
                i -> {
                  TrainingStep step = steps.get(i);
                  boolean isPlain = i == steps.size() - 1;
                  String name = isPlain ? PLAIN : step.model().config().recurrence().label();
                  RoundRobinTimer.Variant variant =
                      RoundRobinTimer.Variant.of(name, () -> pass.applyAsDouble(step));
                  return isPlain ? variant : variant.inTimeAgainst(PLAIN);
                })
            .toList();
    return new BenchRow.Workload(BenchPart.RECURRENCE, workload, length, sizes.batch() * length)
        .rows(timer.run(variants));
  }

  private static double last(LanguageModel model, NDArray tokens_BT) {
    try (NDManager pass = tokens_BT.getManager().newSubManager()) {
      NDArray x_Bd = model.lastHidden(embed(model, tokens_BT, pass));
      return likelihood(model, x_Bd, tokens_BT.get(new NDIndex(":, -1")), pass);
    }
  }

  private static double every(LanguageModel model, NDArray tokens_BT) {
    try (NDManager pass = tokens_BT.getManager().newSubManager()) {
      NDArray x_BTd = model.hidden(embed(model, tokens_BT, pass));
      NDArray x_Nd = x_BTd.reshape(-1, model.config().width());
      return likelihood(model, x_Nd, tokens_BT.reshape(-1), pass);
    }
  }

  private static NDArray embed(LanguageModel model, NDArray tokens_BT, NDManager pass) {
    NDArray embedded_BTd = model.embed(tokens_BT);
    embedded_BTd.attach(pass);
    return embedded_BTd;
  }

  /** The mean negative log-likelihood. Reading it waits for the device. */
  private static double likelihood(
      LanguageModel model, NDArray x_Nd, NDArray targets_N, NDManager pass) {
    targets_N.attach(pass);
    return model.nll(x_Nd, targets_N).mean().getFloat();
  }
}
