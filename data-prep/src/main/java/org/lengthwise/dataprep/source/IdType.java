package org.lengthwise.dataprep.source;

import java.nio.ByteBuffer;

/** A type of stored ids, with Megatron's code of the type. */
enum IdType {
  UINT8(1, 1),
  INT8(2, 1),
  INT16(3, 2),
  INT32(4, 4),
  INT64(5, 8),
  UINT16(8, 2),
  /** A type of llm.c, which Megatron lacks. */
  UINT32(-1, 4);

  private final int code;
  private final int bytes;

  IdType(int code, int bytes) {
    this.code = code;
    this.bytes = bytes;
  }

  int code() {
    return code;
  }

  int bytes() {
    return bytes;
  }

  long read(ByteBuffer from) {
    return switch (this) {
      case UINT8 -> Byte.toUnsignedInt(from.get());
      case INT8 -> from.get();
      case INT16 -> from.getShort();
      case INT32 -> from.getInt();
      case INT64 -> from.getLong();
      case UINT16 -> Short.toUnsignedInt(from.getShort());
      case UINT32 -> Integer.toUnsignedLong(from.getInt());
    };
  }
}
