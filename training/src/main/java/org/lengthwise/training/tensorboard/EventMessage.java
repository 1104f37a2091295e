package org.lengthwise.training.tensorboard;

import com.google.protobuf.CodedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Map;

/** Encodes the messages of an event file. */
final class EventMessage {
  private static final String VERSION = "brain.Event:2";

  private static final int WALL_TIME = 1;
  private static final int STEP = 2;
  private static final int FILE_VERSION = 3;
  private static final int SUMMARY = 5;
  private static final int SUMMARY_VALUE = 1;
  private static final int VALUE_TAG = 1;
  private static final int VALUE_SIMPLE = 2;
  private static final int SESSION = 7;
  private static final int SESSION_STATUS = 1;
  private static final int START = 1;

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

  /** The message that a run starts again at a step, whose earlier records are dropped. */
  static byte[] restart(Instant time, long step) throws IOException {
    byte[] session = encode(out -> out.writeEnum(SESSION_STATUS, START));
    return encode(
        out -> {
          out.writeDouble(WALL_TIME, seconds(time));
          out.writeInt64(STEP, step);
          out.writeByteArray(SESSION, session);
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
