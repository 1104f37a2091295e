package org.lengthwise.eval.perplexity;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import org.lengthwise.eval.result.Protocol;

/**
 * A protocol with its settings, as it stands in a configuration: {@code {name: aligned, chunks:
 * 1000}}. A protocol is a grid of places where windows may end, of which some are drawn, and a
 * number of last tokens that are scored of each window; docs/protocols.md defines each.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "name")
@JsonSubTypes({
  @JsonSubTypes.Type(value = ProtocolConfig.Aligned.class, name = "aligned"),
  @JsonSubTypes.Type(value = ProtocolConfig.Independent.class, name = "independent"),
  @JsonSubTypes.Type(value = ProtocolConfig.SlidingWindow.class, name = "sliding-window"),
  @JsonSubTypes.Type(value = ProtocolConfig.NonOverlapping.class, name = "non-overlapping"),
  @JsonSubTypes.Type(value = ProtocolConfig.ByPosition.class, name = "by-position")
})
public sealed interface ProtocolConfig {

  /**
   * Which protocol this configures.
   *
   * @return the protocol
   */
  Protocol protocol();

  /**
   * How many places are drawn.
   *
   * @return their number, at least 1
   */
  int chunks();

  /**
   * The same with another number of places.
   *
   * @param number how many
   * @return the configuration
   */
  ProtocolConfig withChunks(int number);

  /**
   * How far the places lie apart from which windows are drawn.
   *
   * @param longest the longest T_ex of the evaluation
   * @return tokens, at least 1
   */
  default int step(int longest) {
    return 1;
  }

  /**
   * How many last tokens of a window are scored.
   *
   * @param length T_ex, at least {@link #shortestLength}
   * @return their number, from 1 to T_ex - 1
   */
  default int scored(int length) {
    return 1;
  }

  /**
   * The shortest window that the protocol can score.
   *
   * @return T_ex in tokens, at least 2
   */
  default int shortestLength() {
    return 2;
  }

  private static void requireChunks(int chunks) {
    if (chunks < 1) {
      throw new IllegalArgumentException("chunks: expected at least 1, found " + chunks);
    }
  }

  /**
   * The last token of each window, the same tokens at every length.
   *
   * @param chunks how many tokens
   */
  record Aligned(int chunks) implements ProtocolConfig {
    /** Checks the values. */
    public Aligned {
      requireChunks(chunks);
    }

    @Override
    public Protocol protocol() {
      return Protocol.ALIGNED;
    }

    @Override
    public Aligned withChunks(int number) {
      return new Aligned(number);
    }
  }

  /**
   * The last token of each window, drawn anew at every length.
   *
   * @param chunks how many tokens for each length
   */
  record Independent(int chunks) implements ProtocolConfig {
    /** Checks the values. */
    public Independent {
      requireChunks(chunks);
    }

    @Override
    public Protocol protocol() {
      return Protocol.INDEPENDENT;
    }

    @Override
    public Independent withChunks(int number) {
      return new Independent(number);
    }
  }

  /**
   * The last tokens of each window, as many as the stride, the same tokens at every length.
   *
   * @param chunks how many windows
   * @param stride the tokens between the ends of neighbouring windows, all of which are scored
   */
  record SlidingWindow(int chunks, int stride) implements ProtocolConfig {
    /** Checks the values. */
    public SlidingWindow {
      requireChunks(chunks);
      if (stride < 1) {
        throw new IllegalArgumentException("stride: expected at least 1, found " + stride);
      }
    }

    @Override
    public Protocol protocol() {
      return Protocol.SLIDING_WINDOW;
    }

    @Override
    public SlidingWindow withChunks(int number) {
      return new SlidingWindow(number, stride);
    }

    @Override
    public int step(int longest) {
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
   * Every token that windows side by side can score.
   *
   * @param chunks how many windows of the longest length; at shorter ones as many as lie in these
   */
  record NonOverlapping(int chunks) implements ProtocolConfig {
    /** Checks the values. */
    public NonOverlapping {
      requireChunks(chunks);
    }

    @Override
    public Protocol protocol() {
      return Protocol.NON_OVERLAPPING;
    }

    @Override
    public NonOverlapping withChunks(int number) {
      return new NonOverlapping(number);
    }

    @Override
    public int step(int longest) {
      return longest - 1;
    }

    @Override
    public int scored(int length) {
      return length - 1;
    }
  }

  /**
   * Every token that windows can score which end at aligned targets.
   *
   * @param chunks how many windows for each length
   */
  record ByPosition(int chunks) implements ProtocolConfig {
    /** Checks the values. */
    public ByPosition {
      requireChunks(chunks);
    }

    @Override
    public Protocol protocol() {
      return Protocol.BY_POSITION;
    }

    @Override
    public ByPosition withChunks(int number) {
      return new ByPosition(number);
    }

    @Override
    public int scored(int length) {
      return length - 1;
    }
  }
}
