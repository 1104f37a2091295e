package org.lengthwise.result;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.lengthwise.artifact.ArtifactFolder;

/** Invented results for tests; seeds are arguments. */
public final class Samples {
  /** The checksum of a test set. */
  public static final String DATA = "ab".repeat(32);

  /** The training length of every sample. */
  public static final int TRAIN_LENGTH = 128;

  /** The model of every sample. */
  public static final EvaluatedCheckpoint.Model MODEL =
      new EvaluatedCheckpoint.Model("bytes", 2, 64);

  private Samples() {}

  /** A checkpoint of a run. */
  public static EvaluatedCheckpoint checkpoint(String run, long seed) {
    String scheme = run.replaceAll("^regulargpt-.*", "regulargpt");
    return new EvaluatedCheckpoint(
        run, scheme, seed, "runs/" + run + "/" + seed, 1200, TRAIN_LENGTH, MODEL);
  }

  /** Some last tokens whose mean negative log-likelihood is the logarithm of a perplexity. */
  public static ScoredTargets scored(int length, double perplexity, int count, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    double mean = Math.log(perplexity);
    double[] nlls = new double[count];
    for (int i = 0; i + 1 < count; i += 2) {
      double away = random.nextDouble(0, mean);
      nlls[i] = mean + away;
      nlls[i + 1] = mean - away;
    }
    if (count % 2 == 1) {
      nlls[count - 1] = mean;
    }
    return ScoredTargets.lastTokens(
        length, IntStream.range(0, count).mapToLong(i -> 4096 + 7L * i).toArray(), nlls);
  }

  /** A result under the aligned protocol with a given perplexity. */
  public static EvaluationResult aligned(String run, long seed, int length, double perplexity) {
    return EvaluationResult.of(
        checkpoint(run, seed),
        Protocol.ALIGNED,
        false,
        length,
        scored(length, perplexity, 200, seed),
        DATA);
  }

  /** A finished folder with aligned results and their rows. */
  public static void write(Path folder, String run, long seed, Map<Integer, Double> perplexities)
      throws IOException {
    List<EvaluationResult> results = new ArrayList<>();
    ArtifactFolder.create(
        folder,
        temporary -> {
          for (Map.Entry<Integer, Double> cell : new TreeMap<>(perplexities).entrySet()) {
            EvaluationResult result = aligned(run, seed, cell.getKey(), cell.getValue());
            NllFile.write(temporary, result, scored(cell.getKey(), cell.getValue(), 200, seed));
            results.add(result);
          }
          ResultFile.EVALUATIONS.write(temporary, results);
        });
  }

  /**
   * A finished folder with one by-position result of two windows. The loss falls to a level as the
   * position grows.
   */
  public static void writeByPosition(Path folder, String run, long seed, int length, double level)
      throws IOException {
    int perWindow = length - 1;
    int[] positions = IntStream.range(0, 2 * perWindow).map(i -> 1 + i % perWindow).toArray();
    ScoredTargets scored =
        ScoredTargets.of(
            IntStream.range(0, 2 * perWindow).mapToLong(i -> 4096 + i).toArray(),
            positions,
            IntStream.of(positions).mapToDouble(position -> level + 3.0 / position).toArray());
    EvaluationResult result =
        EvaluationResult.of(
            checkpoint(run, seed), Protocol.BY_POSITION, false, length, scored, DATA);
    ArtifactFolder.create(
        folder,
        temporary -> {
          NllFile.write(temporary, result, scored);
          ResultFile.EVALUATIONS.write(temporary, List.of(result));
        });
  }

  /** A receptive field whose gradient decays over a number of tokens. */
  public static ReceptiveFieldResult receptiveField(
      String run, long seed, int length, double trainedDecay, double untrainedDecay) {
    return ReceptiveFieldResult.of(
        checkpoint(run, seed),
        Optional.empty(),
        DATA,
        length,
        Optional.empty(),
        decays(length, trainedDecay, trainedDecay),
        decays(length, untrainedDecay, untrainedDecay));
  }

  /** A receptive field of a scheme with a limited theoretical field. */
  public static ReceptiveFieldResult limitedField(
      String run, long seed, int length, double decay, int theoretical) {
    return ReceptiveFieldResult.of(
        checkpoint(run, seed),
        Optional.empty(),
        DATA,
        theoretical,
        Optional.empty(),
        decays(length, decay, decay),
        decays(length, decay, decay));
  }

  /** Gradients of samples, each with its own number of tokens over which it decays. */
  public static GradientNorms decays(int length, double... tokens) {
    float[][] norms = new float[tokens.length][length];
    for (int sample = 0; sample < tokens.length; sample++) {
      for (int n = 0; n < length; n++) {
        norms[sample][n] = (float) Math.exp((n + 1 - length) / tokens[sample]);
      }
    }
    return GradientNorms.of(IntStream.range(0, tokens.length).asLongStream().toArray(), norms);
  }
}
