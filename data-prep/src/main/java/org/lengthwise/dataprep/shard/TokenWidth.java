package org.lengthwise.dataprep.shard;

import java.nio.ByteOrder;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** How one token id is stored: in the narrowest of two types that holds the vocabulary. */
enum TokenWidth {
  UINT16(Short.BYTES, false) {
    @Override
    void put(ArrowBuf values, long index, int token) {
      values.setShort(index * Short.BYTES, token);
    }

    @Override
    void copy(ArrowBuf values, int offset, int[] destination, int from, int count) {
      var ids =
          values
              .nioBuffer((long) offset * Short.BYTES, count * Short.BYTES)
              .order(ByteOrder.LITTLE_ENDIAN)
              .asCharBuffer();
      for (int i = 0; i < count; i++) {
        destination[from + i] = ids.get(i);
      }
    }
  },
  INT32(Integer.BYTES, true) {
    @Override
    void put(ArrowBuf values, long index, int token) {
      values.setInt(index * Integer.BYTES, token);
    }

    @Override
    void copy(ArrowBuf values, int offset, int[] destination, int from, int count) {
      values
          .nioBuffer((long) offset * Integer.BYTES, count * Integer.BYTES)
          .order(ByteOrder.LITTLE_ENDIAN)
          .asIntBuffer()
          .get(destination, from, count);
    }
  };

  private static final int UINT16_IDS = 1 << Short.SIZE;

  private final int bytes;
  private final boolean signed;

  TokenWidth(int bytes, boolean signed) {
    this.bytes = bytes;
    this.signed = signed;
  }

  static TokenWidth of(int vocabularySize) {
    return vocabularySize <= UINT16_IDS ? UINT16 : INT32;
  }

  int bytes() {
    return bytes;
  }

  ArrowType arrowType() {
    return new ArrowType.Int(bytes * Byte.SIZE, signed);
  }

  /** Stores one token at an index counted in tokens. */
  abstract void put(ArrowBuf values, long index, int token);

  /** Copies a run of tokens out of a values buffer, widened to int. */
  abstract void copy(ArrowBuf values, int offset, int[] destination, int from, int count);
}
