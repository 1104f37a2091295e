package org.lengthwise.dataprep.shard;

import java.nio.ByteBuffer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.vector.types.pojo.ArrowType;

/** The integer type of stored tokens: 16 bits if the vocabulary fits, else 32. */
enum TokenWidth {
  UINT16(Short.BYTES, false) {
    @Override
    void put(ArrowBuf values, long index, int token) {
      values.setShort(index * Short.BYTES, token);
    }

    @Override
    TokenRun run(ByteBuffer values) {
      return new TokenRun.Narrow(values.asCharBuffer());
    }
  },
  INT32(Integer.BYTES, true) {
    @Override
    void put(ArrowBuf values, long index, int token) {
      values.setInt(index * Integer.BYTES, token);
    }

    @Override
    TokenRun run(ByteBuffer values) {
      return new TokenRun.Wide(values.asIntBuffer());
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

  static TokenWidth ofBytes(int bytes) {
    return bytes == UINT16.bytes ? UINT16 : INT32;
  }

  int bytes() {
    return bytes;
  }

  ArrowType arrowType() {
    return new ArrowType.Int(bytes * Byte.SIZE, signed);
  }

  /** Stores a token; the index counts tokens, not bytes. */
  abstract void put(ArrowBuf values, long index, int token);

  /** Views a little-endian values buffer as tokens. */
  abstract TokenRun run(ByteBuffer values);
}
