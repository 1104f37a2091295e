package org.lengthwise.training.safetensors;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.Stream;

/** The formats whose numbers are read: each of them is a float32 number as well. */
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
      return ofHalf(bytes.getShort());
    }
  },
  BF16(Short.BYTES) {
    @Override
    float next(ByteBuffer bytes) {
      return Float.intBitsToFloat(bytes.getShort() << 16);
    }
  };

  private static final int HALF_FRACTION_BITS = 10;
  private static final int HALF_INFINITE = 0x1f;

  /** What turns a half's exponent into a float's: the difference of their biases. */
  private static final int REBIAS = 127 - 15;

  private final int bytes;

  FloatFormat(int bytes) {
    this.bytes = bytes;
  }

  static Optional<FloatFormat> of(String dtype) {
    return Stream.of(values()).filter(format -> format.name().equals(dtype)).findFirst();
  }

  /** The bytes of one number. */
  int bytes() {
    return bytes;
  }

  /** Takes the next number from little-endian bytes. */
  abstract float next(ByteBuffer bytes);

  private static float ofHalf(short half) {
    int sign = (half & 0x8000) << 16;
    int exponent = (half >> HALF_FRACTION_BITS) & HALF_INFINITE;
    int fraction = half & 0x3ff;
    if (exponent == 0) {
      return (sign == 0 ? 0x1p-24f : -0x1p-24f) * fraction;
    }
    int widened = exponent == HALF_INFINITE ? 0xff : exponent + REBIAS;
    return Float.intBitsToFloat(sign | widened << 23 | fraction << (23 - HALF_FRACTION_BITS));
  }
}
