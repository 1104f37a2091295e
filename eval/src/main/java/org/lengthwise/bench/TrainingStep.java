package org.lengthwise.bench;

import ai.djl.Device;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.positional.attention.AttentionKernel;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.task.LanguageModelling;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.replica.ReplicaGroup;
import org.lengthwise.training.replica.ReplicaGroup.StepResult;

/**
 * The training step of {@code train} on random tokens: read a batch, then the step of {@link
 * ReplicaGroup} with one replica. The same sizes give the same first weights and the same batches.
 */
final class TrainingStep implements AutoCloseable {
  private static final long SEED = 1;
  private static final int NUM_TOKENS = 1 << 20;

  private final TrainingBench sizes;
  private final Task task;
  private final ReplicaGroup group;
  private final Task.@Nullable Loss program;
  private long number;

  private TrainingStep(
      TrainingBench sizes,
      Numerics numerics,
      List<Device> devices,
      Task.@Nullable Loss program,
      int documentTokens,
      LoopConfig.Documents documents)
      throws IOException {
    this.sizes = sizes;
    this.program = program;
    TrainingConfig config = config(sizes, numerics, documents);
    TokenStream tokens = randomTokens(sizes.model().vocabulary(), documentTokens);
    this.task = new LanguageModelling(identity(sizes.model()), tokens, tokens, config);
    Task.Loss loss = program == null ? task::loss : program;
    this.group = new ReplicaGroup(RunDescription.of(config, task), loss, null, devices);
  }

  /** Steps with a replica on each device, which may be one device several times. */
  static TrainingStep ofDecoder(TrainingBench sizes, Numerics numerics, Device... devices)
      throws IOException {
    return new TrainingStep(sizes, numerics, List.of(devices), null, 0, LoopConfig.Documents.CROSS);
  }

  /** Steps on a text of documents of equal length. */
  static TrainingStep onDocuments(
      TrainingBench sizes,
      Numerics numerics,
      int documentTokens,
      LoopConfig.Documents documents,
      Device device)
      throws IOException {
    return new TrainingStep(sizes, numerics, List.of(device), null, documentTokens, documents);
  }

  /** Steps with another loss unless it is null, from the same weights and batches. */
  static TrainingStep of(
      TrainingBench sizes, Numerics numerics, Device device, Task.@Nullable Loss loss)
      throws IOException {
    return new TrainingStep(sizes, numerics, List.of(device), loss, 0, LoopConfig.Documents.CROSS);
  }

  /** Steps with the forward pass and the loss of the TorchScript program, in float32. */
  static TrainingStep ofProgram(TrainingBench sizes, Device device, boolean isOptimized)
      throws IOException {
    TorchScriptDecoder program = new TorchScriptDecoder(sizes.model(), device, isOptimized);
    TrainingStep step =
        new TrainingStep(
            sizes,
            Numerics.of(Precision.FLOAT32),
            List.of(device),
            program,
            0,
            LoopConfig.Documents.CROSS);
    program.use(step.group.first().weights());
    return step;
  }

  private static TrainingConfig config(
      TrainingBench sizes, Numerics numerics, LoopConfig.Documents documents) {
    ModelConfig model = sizes.model();
    return new TrainingConfig(
        "bench",
        SEED,
        new TrainingConfig.ModelSize(model.layers(), model.width(), model.heads()),
        model.position(),
        model.recurrence(),
        sizes.optimizer(),
        new LoopConfig(
            sizes.length(),
            sizes.batch(),
            sizes.microBatch(),
            sizes.steps(),
            numerics.precision(),
            numerics.residual(),
            AttentionKernel.AUTO,
            documents,
            LoopConfig.States.ZERO,
            "cpu", // not read: the device is given to the replica
            0,
            1,
            false,
            new LoopConfig.Validation(1, 1),
            false,
            new LoopConfig.Checkpoints(1, 1),
            new LoopConfig.Guard(1, Double.MAX_VALUE, LoopConfig.Guard.Action.STOP, 1)),
        null,
        null);
  }

  private static DataIdentity identity(ModelConfig model) {
    String sha256 = "0".repeat(64);
    int endOfText = model.vocabulary() - 1;
    return new DataIdentity(
        new TokenizerIdentity("random", sha256, model.vocabulary(), endOfText), sha256);
  }

  /** With documents, end-of-text stands at the end of each and nowhere else. */
  private static TokenStream randomTokens(int vocabulary, int documentTokens) {
    int[] tokens =
        new RandomStreams(SEED).stream("tokens").ints(NUM_TOKENS, 0, vocabulary).toArray();
    for (int i = 1; i < tokens.length; i++) {
      // Three of four tokens follow from the one before, so that losses fall.
      tokens[i] = tokens[i] % 4 == 0 ? tokens[i] : (5 * tokens[i - 1] + 1) % vocabulary;
    }
    for (int i = 0; i < tokens.length && documentTokens > 0; i++) {
      boolean isLast = (i + 1) % documentTokens == 0;
      tokens[i] = isLast ? vocabulary - 1 : Math.min(tokens[i], vocabulary - 2);
    }
    return TokenStream.of(tokens);
  }

  LanguageModel model() {
    return group.first().model();
  }

  /** Runs the next step and returns its loss. */
  double next() {
    long first = number * sizes.batch();
    int micro = sizes.microBatch();
    List<Samples> micros =
        IntStream.range(0, sizes.batch() / micro)
            .mapToObj(i -> task.training(first + (long) i * micro, micro))
            .toList();
    number++;
    StepResult result =
        group.step(
            micros, number, sizes.optimizer().learningRate(), new ReplicaGroup.StepObserver() {});
    Optional<String> objection = result.objection();
    if (objection.isPresent() || !Double.isFinite(result.loss())) {
      throw new IllegalStateException(
          "step %s has loss %s; %s".formatted(number, result.loss(), objection.orElse("")));
    }
    return result.loss();
  }

  @Override
  public void close() {
    group.close();
    if (program instanceof TorchScriptDecoder own) {
      own.close();
    }
  }
}
