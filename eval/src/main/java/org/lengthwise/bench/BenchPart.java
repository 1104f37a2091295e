package org.lengthwise.bench;

import java.io.IOException;
import java.util.List;
import org.lengthwise.config.EnumName;

/** The parts of the benchmarks. Each can run alone. */
public enum BenchPart {
  /** Attention of every scheme at growing lengths. */
  SCALING,
  /** The evaluation of the last token of a long sequence. */
  LAST_TOKEN,
  /** The forward pass of a public family's blocks against a TorchScript program. */
  FORWARD,
  /** A training step against the same step as one TorchScript program. */
  TRAINING,
  /** A training step of each scheme. */
  SCHEMES,
  /** Recurrent models against plain decoders. */
  RECURRENCE,
  /** Linear recurrences against attention and a plain chunk form. */
  LINEAR,
  /** Attention and losses on a device against numbers of a CPU. */
  AGREEMENT;

  /** The sizes of a part, which know how to measure it. */
  interface Sizes {
    List<BenchRow> run(BenchSetting setting) throws IOException;
  }

  /** Whether the two TorchScript programs have a place in it. They support float32 only. */
  boolean hasProgram() {
    return this == TRAINING || this == FORWARD;
  }

  /** {@return whether the part runs at full size without being named} */
  public boolean isDefault() {
    return this == SCALING || this == LAST_TOKEN || this == TRAINING;
  }

  @Override
  public String toString() {
    return EnumName.of(this);
  }
}
