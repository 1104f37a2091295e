package org.lengthwise.eval.bench;

import java.util.Locale;

/** What can be measured, each by itself. */
public enum Part {
  /** Sliding-dilated attention, structured against dense masks. */
  ATTENTION,
  /** Attention of every scheme at growing lengths. */
  SCALING,
  /** The evaluation of one last token of a long sequence. */
  LAST_TOKEN,
  /** A training step against the same step as one TorchScript program. */
  TRAINING,
  /** A training step of each scheme at one shape. */
  SCHEMES,
  /** Random windows from mapped shards. */
  READING,
  /** Memory over many training steps. */
  SOAK;

  /** The name on the command line and in results. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
