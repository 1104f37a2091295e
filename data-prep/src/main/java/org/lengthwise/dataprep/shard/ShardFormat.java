package org.lengthwise.dataprep.shard;

/** Stub. */
public final class ShardFormat {
  /** The version of this format. */
  public static final int VERSION = 1;

  private ShardFormat() {}
}
