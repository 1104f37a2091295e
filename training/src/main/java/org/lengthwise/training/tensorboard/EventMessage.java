package org.lengthwise.training.tensorboard;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.WireFormat;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Encodes and decodes the messages of an event file. */
final class EventMessage {
  private static final String VERSION = "brain.Event:2";

  private static final int WALL_TIME = 1;
  private static final int STEP = 2;
  private static final int FILE_VERSION = 3;
  private static final int SUMMARY = 5;
  private static final int SUMMARY_VALUE = 1;
  private static final int VALUE_TAG = 1;
  private static final int VALUE_SIMPLE = 2;

  private static final double MILLIS_PER_SECOND = 1000;

  @FunctionalInterface
  private interface Fields {
    void write(CodedOutputStream out) throws IOException;
  }

  private EventMessage() {}

  static byte[] version(Instant time) throws IOException {
    return encode(
        out -> {
          out.writeDouble(WALL_TIME, seconds(time));
          out.writeString(FILE_VERSION, VERSION);
        });
  }

  static byte[] scalars(Instant time, long step, Map<String, Double> scalars) throws IOException {
    byte[] summary =
        encode(
            out -> {
              for (Map.Entry<String, Double> scalar : scalars.entrySet()) {
                out.writeByteArray(SUMMARY_VALUE, value(scalar.getKey(), scalar.getValue()));
              }
            });
    return encode(
        out -> {
          out.writeDouble(WALL_TIME, seconds(time));
          out.writeInt64(STEP, step);
          out.writeByteArray(SUMMARY, summary);
        });
  }

  private static byte[] value(String tag, double scalar) throws IOException {
    return encode(
        out -> {
          out.writeString(VALUE_TAG, tag);
          out.writeFloat(VALUE_SIMPLE, (float) scalar);
        });
  }

  /** The step of a message; 0 if the message has none. */
  static long step(byte[] message) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(message);
    long step = 0;
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == STEP) {
        step = in.readInt64();
      } else {
        in.skipField(tag);
      }
    }
    return step;
  }

  static List<String> tags(byte[] message) throws IOException {
    List<String> tags = new ArrayList<>();
    for (byte[] summary : nested(message, SUMMARY)) {
      for (byte[] value : nested(summary, SUMMARY_VALUE)) {
        for (byte[] tag : nested(value, VALUE_TAG)) {
          tags.add(new String(tag, StandardCharsets.UTF_8));
        }
      }
    }
    return tags;
  }

  private static List<byte[]> nested(byte[] message, int field) throws IOException {
    CodedInputStream in = CodedInputStream.newInstance(message);
    List<byte[]> values = new ArrayList<>();
    for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
      if (WireFormat.getTagFieldNumber(tag) == field) {
        values.add(in.readByteArray());
      } else {
        in.skipField(tag);
      }
    }
    return values;
  }

  private static byte[] encode(Fields fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    CodedOutputStream out = CodedOutputStream.newInstance(bytes);
    fields.write(out);
    out.flush();
    return bytes.toByteArray();
  }

  private static double seconds(Instant time) {
    return time.toEpochMilli() / MILLIS_PER_SECOND;
  }
}
