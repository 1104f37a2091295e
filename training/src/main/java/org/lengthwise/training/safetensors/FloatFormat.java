package org.lengthwise.training.safetensors;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.Stream;

/** The formats that can be read. Float32 holds each of their numbers exactly. */
enum FloatFormat {
  F32(Float.BYTES) {
    @Override
    float next(ByteBuffer bytes) {
      return bytes.getFloat();
    }
  },
  F16(Short.BYTES) {
    @Override
    float next(ByteBuffer bytes) {
      return ofFloat16(bytes.getShort());
    }
  },
  BF16(Short.BYTES) {
    @Override
    float next(ByteBuffer bytes) {
      return Float.intBitsToFloat(bytes.getShort() << 16);
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

  static Optional<FloatFormat> of(String dtype) {
    return Stream.of(values()).filter(format -> format.name().equals(dtype)).findFirst();
  }

  /** The size of one number. */
  int bytes() {
    return bytes;
  }

  /** Reads the next number from little-endian bytes. */
  abstract float next(ByteBuffer bytes);

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
