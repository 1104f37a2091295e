package org.lengthwise.measure.perplexity;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Objects;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;
import org.lengthwise.config.Unit;
import org.lengthwise.result.Protocol;

/**
 * A protocol with its settings, as in a configuration: {@code {name: aligned, samples: 1000}}.
 *
 * <p>A protocol is a grid of offsets at which windows may end. A number of samples is drawn from
 * the grid. Each sample is one window or several neighbouring windows, and each window has one or
 * several targets, which are its last tokens. docs/reference/protocols.md defines each protocol.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "name")
public sealed interface ProtocolConfig {

  /** {@return the protocol's identity in results, which has the same name} */
  default Protocol protocol() {
    JsonTypeName name = Objects.requireNonNull(getClass().getAnnotation(JsonTypeName.class));
    return EnumName.constant(Protocol.class, name.value());
  }

  /** {@return the number of samples that are drawn, at least 1} */
  int samples();

  ProtocolConfig withSamples(int number);

  /**
   * {@return the tokens of a sample, at least T_ex} Each sample has room for them within the split
   * or document.
   *
   * @param longest the longest T_ex of the evaluation
   * @param length T_ex
   */
  default int sampleLength(int longest, int length) {
    return longest;
  }

  /**
   * {@return the distance between neighbouring offsets of the grid, in tokens, at least 1}
   *
   * @param longest the longest T_ex of the evaluation
   */
  default int stride(int longest) {
    return 1;
  }

  /**
   * {@return the name of the random stream that draws the samples} Protocols and lengths of one
   * stream share their samples.
   *
   * @param length T_ex
   */
  default String randomStream(int length) {
    return "targets/aligned";
  }

  /**
   * {@return the number of windows of a sample, at least 1} The last window ends at the end of the
   * sample, and each window begins with the last token of the previous one.
   *
   * @param longest the longest T_ex of the evaluation
   * @param length T_ex
   */
  default int windowsPerSample(int longest, int length) {
    return 1;
  }

  /**
   * {@return the number of last tokens of a window that are scored, from 1 to T_ex - 1}
   *
   * @param length T_ex, at least {@link #shortestLength}
   */
  default int scored(int length) {
    return 1;
  }

  /** {@return T_ex in tokens of the shortest window that the protocol can score, at least 2} */
  default int shortestLength() {
    return 2;
  }

  /**
   * The last token of each window. The targets are the same at every length.
   *
   * @param samples the number of targets
   */
  @JsonTypeName("aligned")
  record Aligned(@Unit("targets") int samples) implements ProtocolConfig {
    public Aligned {
      Checks.atLeast("samples", samples, 1);
    }

    @Override
    public Aligned withSamples(int number) {
      return new Aligned(number);
    }
  }

  /**
   * The last token of each window. The windows are drawn separately for each length.
   *
   * @param samples the number of targets for each length
   */
  @JsonTypeName("independent")
  record Independent(@Unit("targets") int samples) implements ProtocolConfig {
    public Independent {
      Checks.atLeast("samples", samples, 1);
    }

    @Override
    public Independent withSamples(int number) {
      return new Independent(number);
    }

    @Override
    public int sampleLength(int longest, int length) {
      return length;
    }

    @Override
    public String randomStream(int length) {
      return "targets/independent/" + length;
    }
  }

  /**
   * As many last tokens of each window as the stride. The targets are the same at every length.
   *
   * @param samples the number of windows
   * @param stride the distance between the ends of neighbouring windows of the grid
   */
  @JsonTypeName("sliding-window")
  record Sliding(@Unit("windows") int samples, @Unit("tokens") int stride)
      implements ProtocolConfig {
    public Sliding {
      Checks.atLeast("samples", samples, 1);
      Checks.atLeast("stride", stride, 1);
    }

    @Override
    public Sliding withSamples(int number) {
      return new Sliding(number, stride);
    }

    @Override
    public int stride(int longest) {
      return stride;
    }

    @Override
    public int scored(int length) {
      return stride;
    }

    @Override
    public int shortestLength() {
      return stride + 1;
    }
  }

  /**
   * All tokens of adjacent windows except the first token of each.
   *
   * @param samples the number of windows of the longest length; a sample is divided into windows at
   *     shorter lengths
   */
  @JsonTypeName("non-overlapping")
  record NonOverlapping(@Unit("windows") int samples) implements ProtocolConfig {
    public NonOverlapping {
      Checks.atLeast("samples", samples, 1);
    }

    @Override
    public NonOverlapping withSamples(int number) {
      return new NonOverlapping(number);
    }

    @Override
    public int stride(int longest) {
      return longest - 1;
    }

    @Override
    public int windowsPerSample(int longest, int length) {
      return (longest - 1) / (length - 1);
    }

    @Override
    public int scored(int length) {
      return length - 1;
    }
  }

  /**
   * All tokens except the first of windows that end at aligned targets.
   *
   * @param samples the number of windows for each length
   */
  @JsonTypeName("by-position")
  record ByPosition(@Unit("windows") int samples) implements ProtocolConfig {
    public ByPosition {
      Checks.atLeast("samples", samples, 1);
    }

    @Override
    public ByPosition withSamples(int number) {
      return new ByPosition(number);
    }

    @Override
    public int scored(int length) {
      return length - 1;
    }
  }
}
