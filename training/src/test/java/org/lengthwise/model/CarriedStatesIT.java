package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;

import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.attention.LayerStates;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.task.LanguageModelling;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;
import org.lengthwise.training.Loops;
import org.lengthwise.training.TestDevice;
import org.lengthwise.training.config.LoopConfig;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.config.TrainingConfig;

/** Windows that carry states give the likelihoods of passes over whole texts and documents. */
class CarriedStatesIT {
  private static final int END = RandomModel.VOCABULARY - 1;
  private static final int LENGTH = 8;
  private static final int STREAMS = 2;

  /** Twelve windows. Documents end inside, at the first and at the last input of a window. */
  private static final int[] TOKENS = tokens(12 * LENGTH + 1, 5, 6, 24, 39, 45, 58, 60, 71, 86);

  private static int[] tokens(int count, int... ends) {
    int[] tokens = new Random(3).ints(count, 0, END).toArray();
    Arrays.stream(ends).forEach(end -> tokens[end] = END);
    return tokens;
  }

  private static Task task(Linear scheme, boolean readsApart, long seed) {
    LoopConfig loop = Loops.carried(Loops.of(LENGTH, STREAMS, 1));
    TrainingConfig config =
        new TrainingConfig(
            "carried",
            seed,
            new TrainingConfig.ModelSize(1, 4, 1),
            scheme,
            OptimizerConfig.of(1e-3),
            readsApart ? Loops.within(loop) : loop);
    TokenizerIdentity tokenizer =
        new TokenizerIdentity("test", "0".repeat(64), RandomModel.VOCABULARY, END);
    TokenStream text = TokenStream.of(TOKENS);
    return new LanguageModelling(new DataIdentity(tokenizer, "0".repeat(64)), text, text, config);
  }

  private static ModelConfig model(Linear.Member member) {
    return new ModelConfig(2, 12, 3, RandomModel.VOCABULARY, new Linear(member, false));
  }

  private record Opened(Weights weights, LanguageModel decoder, NDManager manager)
      implements AutoCloseable {
    static Opened of(RandomModel random) {
      Weights weights = random.weights(TestDevice.current());
      weights.requireGradients();
      return new Opened(
          weights,
          LanguageModel.of(random.config(), weights, Numerics.of(Precision.FLOAT32)),
          NDManager.newBaseManager(TestDevice.current(), "PyTorch"));
    }

    LayerStates states(Map<String, float[]> numbers) {
      return LayerStates.of(
          manager,
          STREAMS,
          decoder.config().states(),
          (name, size) -> numbers.getOrDefault(name, new float[size]));
    }

    @Override
    public void close() {
      manager.close();
      decoder.close();
      weights.close();
    }
  }

  @ParameterizedTest
  @EnumSource
  void windowsOfAStreamGiveTheLikelihoodsOfOneLongPass(Linear.Member member) {
    requireLongPasses(member, false);
  }

  @ParameterizedTest
  @EnumSource
  void documentsOfAStreamGiveTheLikelihoodsOfTheirOwnPasses(Linear.Member member) {
    requireLongPasses(member, true);
  }

  private static void requireLongPasses(Linear.Member member, boolean readsApart) {
    for (long seed = 1; seed <= 3; seed++) { // seeds decide where streams begin
      Task task = task(new Linear(member, false), readsApart, seed);
      try (Opened model = Opened.of(RandomModel.of(model(member), new Random(7)));
          LayerStates states = model.states(Map.of())) {
        List<List<Integer>> streams = List.of(new ArrayList<>(), new ArrayList<>());
        double[] sums = new double[STREAMS];
        int[] next = new int[STREAMS];
        for (int sample = 0; sample < 7 * STREAMS; sample++) { // a stream goes on in the other
          int stream = sample % STREAMS;
          Samples window = task.training(sample, 1);
          if (window.tokens()[0] == TOKENS[0] && window.tokens()[1] == TOKENS[1]) {
            sums[stream] -= alone(model, streams.get(stream), next[stream], readsApart);
            streams.get(stream).clear();
          }
          Arrays.stream(window.tokens()).forEach(token -> streams.get(stream).add((int) token));
          next[stream] = (int) window.targets()[LENGTH - 1];
          try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
            NDArray loss =
                task.loss(model.decoder(), window.on(model.manager(), Optional.of(states), stream));
            sums[stream] += (double) loss.getFloat() * window.numTargets();
            collector.zeroGradients();
          }
        }
        for (int stream = 0; stream < STREAMS; stream++) {
          sums[stream] -= alone(model, streams.get(stream), next[stream], readsApart);
          assertThat(sums[stream]).as("seed %s", seed).isCloseTo(0, within(2e-3));
        }
      }
    }
  }

  /** The summed likelihood of a text in one pass, or of each of its documents. */
  private static double alone(Opened model, List<Integer> text, int next, boolean readsApart) {
    double sum = 0;
    int start = 0;
    for (int i = 0; i <= text.size(); i++) {
      boolean isEnd = readsApart && i < text.size() && text.get(i) == END;
      if ((isEnd || i == text.size()) && i > start) {
        long[] ids = text.subList(start, i).stream().mapToLong(token -> token).toArray();
        long[] targets = Arrays.copyOfRange(ids, 1, ids.length + 1);
        targets[ids.length - 1] = i < text.size() ? text.get(i) : next;
        try (NDManager pass = model.manager().newSubManager()) {
          NDArray tokens_1T = pass.create(ids, new Shape(1, ids.length));
          NDArray x_Td = model.decoder().hidden(model.decoder().embed(tokens_1T)).squeeze(0);
          for (float nll : model.decoder().nll(x_Td, pass.create(targets)).toFloatArray()) {
            sum += nll;
          }
        }
      }
      start = isEnd ? i + 1 : start;
    }
    return sum;
  }

  /**
   * The derivative along the gradient of a second window is the gradient's norm if the states of
   * the first window stay, and another number if the changed weights compute them.
   */
  @ParameterizedTest
  @EnumSource
  void gradientsEndAtTheBeginningOfAWindow(Linear.Member member) {
    RandomModel random = RandomModel.of(model(member), new Random(7));
    Map<String, float[]> gradients = new HashMap<>();
    Map<String, float[]> kept = new HashMap<>();
    try (Opened model = Opened.of(random);
        LayerStates states = model.states(Map.of());
        GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      loss(model, states, 0);
      states.tensors().forEach((name, tensor) -> kept.put(name, tensor.toFloatArray()));
      collector.backward(loss(model, states, 1));
      model
          .weights()
          .tensors()
          .forEach((name, tensor) -> gradients.put(name, tensor.getGradient().toFloatArray()));
    }
    double norm =
        Math.sqrt(
            gradients.values().stream()
                .flatMapToDouble(g -> IntStream.range(0, g.length).mapToDouble(i -> g[i] * g[i]))
                .sum());
    double truncated = slope(random, gradients, norm, Optional.of(kept));
    double whole = slope(random, gradients, norm, Optional.empty());
    assertThat(truncated).isCloseTo(norm, withinPercentage(0.1));
    assertThat(Math.abs(whole - norm)).isGreaterThan(2 * Math.abs(truncated - norm));
  }

  private static double slope(
      RandomModel random,
      Map<String, float[]> gradients,
      double norm,
      Optional<Map<String, float[]>> kept) {
    double step = 2e-3;
    double[] losses = new double[2];
    for (int side = 0; side < 2; side++) {
      Map<String, float[]> moved = new HashMap<>();
      for (Map.Entry<String, float[]> tensor : random.floats().entrySet()) {
        float[] gradient = Objects.requireNonNull(gradients.get(tensor.getKey()));
        float[] numbers = tensor.getValue().clone();
        for (int i = 0; i < numbers.length; i++) {
          numbers[i] += (float) ((2 * side - 1) * step * gradient[i] / norm);
        }
        moved.put(tensor.getKey(), numbers);
      }
      try (Opened model = Opened.of(new RandomModel(random.config(), moved));
          LayerStates states = model.states(kept.orElse(Map.of()));
          GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        if (kept.isEmpty()) {
          loss(model, states, 0);
        }
        losses[side] = loss(model, states, 1).getFloat();
        collector.zeroGradients();
      }
    }
    return (losses[1] - losses[0]) / (2 * step);
  }

  /** The loss of one of two windows of both streams. */
  private static NDArray loss(Opened model, LayerStates states, int window) {
    int[] both = {0, 1};
    long[] tokens = new long[STREAMS * LENGTH];
    long[] targets = new long[STREAMS * LENGTH];
    for (int i = 0; i < tokens.length; i++) {
      int place = (i / LENGTH * 4 + window) * LENGTH + i % LENGTH;
      tokens[i] = TOKENS[place];
      targets[i] = TOKENS[place + 1];
    }
    Shape shape = new Shape(STREAMS, LENGTH);
    return model
        .decoder()
        .carrying(Optional.of(states.at(new LayerStates.Streams(both, both), 0, model.manager())))
        .loss(model.manager().create(tokens, shape), model.manager().create(targets, shape));
  }
}
