package org.lengthwise.training.optimizer;

import java.util.stream.LongStream;
import org.lengthwise.training.config.OptimizerConfig;

/**
 * Linear warm-up to the largest rate, then half a cosine down to the last rate; all of it times a
 * factor for each {@code decaySteps} steps.
 */
public record LearningRateSchedule(
    double peak, double last, long warmupSteps, long steps, double stepDecay, long decaySteps) {

  public static LearningRateSchedule of(OptimizerConfig config, long steps) {
    long warmup = Math.round(config.warmupFraction() * steps);
    double peak = config.learningRate();
    return new LearningRateSchedule(
        peak,
        peak * config.finalFraction(),
        warmup,
        steps,
        config.stepDecay(),
        config.decaySteps());
  }

  /** {@return the sum of the rates of all steps: about the farthest that Adam moves a number} */
  public double sum() {
    return LongStream.range(0, steps).mapToDouble(this::at).sum();
  }

  public double at(long step) {
    long decays = step / decaySteps;
    return wave(step) * Math.pow(stepDecay, (double) decays);
  }

  private double wave(long step) {
    if (step < warmupSteps) {
      return peak * (step + 1) / warmupSteps;
    }
    double progress = (double) (step - warmupSteps) / Math.max(1, steps - warmupSteps);
    double share = 0.5 * (1 + Math.cos(Math.PI * Math.min(1, progress)));
    return last + share * (peak - last);
  }
}
