package org.lengthwise.random;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.lengthwise.artifact.Sha256;

/**
 * Independent random streams by name, all from one seed. The draws of one stream never change the
 * draws of another.
 */
public record RandomStreams(long seed) {

  /** {@return the seed of a stream: the first eight bytes of SHA-256 over {@code seed/name}} */
  public long seedOf(String name) {
    byte[] key = (seed + "/" + name).getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.wrap(Sha256.newDigest().digest(key)).getLong();
  }

  /**
   * {@return a new generator of a stream} The algorithm of {@link Random} is specified, so the
   * numbers are the same on every platform and Java release.
   */
  public Random stream(String name) {
    return new Random(seedOf(name));
  }
}
