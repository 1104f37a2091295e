package org.lengthwise.eval.result;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.lengthwise.dataprep.artifact.Sha256;

/** A digest that names targets and their order. */
final class TargetDigest {
  private TargetDigest() {}

  /** SHA-256 over the offsets as little-endian 64-bit integers, in hexadecimal. */
  static String of(long[] targets) {
    ByteBuffer bytes =
        ByteBuffer.allocate(Math.multiplyExact(targets.length, Long.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    bytes.asLongBuffer().put(targets);
    return Sha256.of(bytes.array());
  }
}
