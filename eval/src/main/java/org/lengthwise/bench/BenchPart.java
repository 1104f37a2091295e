package org.lengthwise.bench;

import org.lengthwise.config.EnumName;

/** The parts of the benchmarks. Each can run alone. */
public enum BenchPart {
  /** Sliding-dilated attention against dense masks. */
  ATTENTION,
  /** Attention of every scheme at growing lengths. */
  SCALING,
  /** The evaluation of the last token of a long sequence. */
  LAST_TOKEN,
  /** The forward pass of a public family's blocks against a TorchScript program, and loading. */
  FORWARD,
  /** A training step against the same step as one TorchScript program. */
  TRAINING,
  /** A training step of each scheme. */
  SCHEMES,
  /** Recurrent models against plain decoders. */
  RECURRENCE,
  /** Random windows from mapped shards. */
  READING,
  /** The same text from files of several formats to shards. */
  PREPARATION,
  /** Memory over many training steps. */
  SOAK;

  /** The name on the command line and in results. */
  @Override
  public String toString() {
    return EnumName.of(this);
  }
}
