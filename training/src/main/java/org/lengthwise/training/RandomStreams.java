package org.lengthwise.training;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * Random streams split by name from one seed, so that what one part of a run draws never shifts
 * what another part draws.
 *
 * @param seed the run's seed
 */
public record RandomStreams(long seed) {

  /**
   * The seed of a stream: the first eight bytes of SHA-256 over {@code seed/name}.
   *
   * @param name what the stream is for
   * @return a seed that depends on both
   */
  public long seedOf(String name) {
    byte[] key = (seed + "/" + name).getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.wrap(Sha256.newDigest().digest(key)).getLong();
  }

  /**
   * A stream. Its algorithm is the specified one of {@link Random}: the same numbers on every
   * platform and release.
   *
   * @param name what the stream is for
   * @return a fresh generator
   */
  public Random stream(String name) {
    return new Random(seedOf(name));
  }
}
