package org.lengthwise.bench;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.positional.attention.Precision;

/**
 * The sizes of all parts, as in conf/bench.yaml.
 *
 * @param repetitions the number of timed rounds
 * @param device {@code cpu} or {@code gpu:0}, {@code gpu:1}, ...
 * @param precision the format of the products in every part except training and forward, whose
 *     TorchScript programs support only float32, and agreement, which has both formats
 * @param tolerance the largest allowed difference between variants of a workload, by precision
 * @param scaling the sizes of the part scaling
 * @param lastToken the sizes of the part last-token
 * @param forward the sizes of the part forward
 * @param training the sizes of the part training
 * @param schemes the sizes of the part schemes
 * @param recurrence the sizes of the part recurrence
 * @param linear the sizes of the part linear
 * @param agreement the sizes of the part agreement
 */
public record BenchConfig(
    @Unit("rounds") int repetitions,
    String device,
    Precision precision,
    Map<Precision, Double> tolerance,
    ScalingBench scaling,
    LastTokenBench lastToken,
    ForwardBench forward,
    TrainingBench training,
    SchemesBench schemes,
    RecurrenceBench recurrence,
    LinearBench linear,
    AgreementBench agreement) {

  public BenchConfig {
    Checks.atLeast("repetitions", repetitions, 1);
    Map<Precision, Double> copy = new EnumMap<>(Precision.class);
    copy.putAll(tolerance);
    tolerance = Collections.unmodifiableMap(copy);
    for (Precision each : Precision.values()) {
      Double most = tolerance.get(each);
      Checks.require(
          most != null && most >= 0,
          "tolerance",
          "a number for " + each.label(),
          String.valueOf(most));
    }
    Checks.require(
        training.model().position().label().equals("alibi"),
        "training.model.position",
        "alibi, the only scheme of the TorchScript program",
        training.model().position().label());
  }

  BenchPart.Sizes sizes(BenchPart part) {
    return switch (part) {
      case SCALING -> scaling;
      case LAST_TOKEN -> lastToken;
      case FORWARD -> forward;
      case TRAINING -> training;
      case SCHEMES -> schemes;
      case RECURRENCE -> recurrence;
      case LINEAR -> linear;
      case AGREEMENT -> agreement;
    };
  }

  Precision precision(BenchPart part) {
    return part.hasProgram() ? Precision.FLOAT32 : precision;
  }

  /** The largest allowed difference between variants of a part. */
  double tolerance(BenchPart part) {
    return Objects.requireNonNull(tolerance.get(precision(part)));
  }
}
