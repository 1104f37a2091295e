package org.lengthwise.training.safetensors;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.Stream;

/** The formats that can be read. Float32 holds each of their numbers exactly. */
public enum FloatFormat {
  F32(Float.BYTES) {
    @Override
    void floats(ByteBuffer from, float[] to, int count) {
      from.asFloatBuffer().get(to, 0, count);
    }
  },
  F16(Short.BYTES) {
    @Override
    void floats(ByteBuffer from, float[] to, int count) {
      int first = from.position();
      for (int i = 0; i < count; i++) {
        to[i] = ofFloat16(from.getShort(first + Short.BYTES * i));
      }
    }
  },
  /** The upper 16 bits of float32 numbers. */
  BF16(Short.BYTES) {
    @Override
    void floats(ByteBuffer from, float[] to, int count) {
      int first = from.position();
      for (int i = 0; i < count; i++) {
        to[i] = Float.intBitsToFloat(from.getShort(first + Short.BYTES * i) << 16);
      }
    }
  };

  private static final int FRACTION_BITS = 10;
  private static final int INFINITE = 0x1f;

  /** The difference between the exponent biases of float32 and float16. */
  private static final int REBIAS = 127 - 15;

  private final int bytes;

  FloatFormat(int bytes) {
    this.bytes = bytes;
  }

  /** {@return the format with a name in a file, or empty if it is not read} */
  public static Optional<FloatFormat> of(String dtype) {
    return Stream.of(values()).filter(format -> format.name().equals(dtype)).findFirst();
  }

  public int bytes() {
    return bytes;
  }

  /** Reads the next numbers from little-endian bytes, whose position stays. */
  abstract void floats(ByteBuffer from, float[] to, int count);

  private static float ofFloat16(short bits) {
    int sign = (bits & 0x8000) << 16;
    int exponent = (bits >> FRACTION_BITS) & INFINITE;
    int fraction = bits & 0x3ff;
    if (exponent == 0) {
      return (sign == 0 ? 0x1p-24f : -0x1p-24f) * fraction;
    }
    int widened = exponent == INFINITE ? 0xff : exponent + REBIAS;
    return Float.intBitsToFloat(sign | widened << 23 | fraction << (23 - FRACTION_BITS));
  }
}
