package org.lengthwise.training.tensorboard;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reads event files with a schema of their messages and its own CRC-32C. */
public final class EventReader {
  private static final int REVERSED_POLYNOMIAL = 0x82f63b78;

  /**
   * One record.
   *
   * @param time in seconds
   * @param step its step
   * @param version the file's version, if the record has it
   * @param restartsAt the step at which the run starts again; 0 for another record
   * @param scalars {@code tag value} for each
   */
  record Event(double time, long step, String version, long restartsAt, List<String> scalars) {}

  private EventReader() {}

  /** All events of a file. A wrong checksum is an error. */
  static List<Event> events(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
    List<Event> events = new ArrayList<>();
    try {
      while (bytes.hasRemaining()) {
        byte[] length = take(bytes, Long.BYTES);
        byte[] message =
            take(bytes, ByteBuffer.wrap(length).order(ByteOrder.LITTLE_ENDIAN).getInt());
        events.add(event(message));
      }
    } catch (BufferUnderflowException e) {
      return events; // the writer was killed
    }
    return events;
  }

  /** Every scalar as {@code step tag value}, of files in order, as TensorBoard reads them. */
  public static List<String> scalars(List<Path> files) throws IOException {
    List<Event> kept = new ArrayList<>();
    for (Path file : files) {
      for (Event event : events(file)) {
        if (event.restartsAt() > 0) {
          kept.removeIf(earlier -> earlier.step() >= event.restartsAt());
        } else {
          kept.add(event);
        }
      }
    }
    return kept.stream()
        .flatMap(event -> event.scalars().stream().map(scalar -> event.step() + " " + scalar))
        .toList();
  }

  private static Event event(byte[] message) throws IOException {
    DynamicMessage event =
        DynamicMessage.parseFrom(schema().findMessageTypeByName("Event"), message);
    if (!event.getUnknownFields().asMap().isEmpty()) {
      throw new AssertionError("unknown fields " + event.getUnknownFields());
    }
    List<String> scalars = new ArrayList<>();
    for (Object value : (List<?>) get((DynamicMessage) get(event, "summary"), "value")) {
      DynamicMessage scalar = (DynamicMessage) value;
      scalars.add(get(scalar, "tag") + " " + get(scalar, "simple_value"));
    }
    return new Event(
        (double) get(event, "wall_time"),
        (long) get(event, "step"),
        (String) get(event, "file_version"),
        (int) get((DynamicMessage) get(event, "session_log"), "status") == 1
            ? (long) get(event, "step")
            : 0,
        scalars);
  }

  private static Object get(DynamicMessage message, String field) {
    return message.getField(message.getDescriptorForType().findFieldByName(field));
  }

  /** The part of TensorFlow's event.proto and summary.proto that scalars need. */
  private static FileDescriptor schema() {
    DescriptorProto value =
        DescriptorProto.newBuilder()
            .setName("Value")
            .addField(field("tag", 1, FieldDescriptorProto.Type.TYPE_STRING))
            .addField(field("simple_value", 2, FieldDescriptorProto.Type.TYPE_FLOAT))
            .build();
    DescriptorProto summary =
        DescriptorProto.newBuilder()
            .setName("Summary")
            .addField(
                field("value", 1, FieldDescriptorProto.Type.TYPE_MESSAGE)
                    .setTypeName("Value")
                    .setLabel(FieldDescriptorProto.Label.LABEL_REPEATED))
            .build();
    DescriptorProto session =
        DescriptorProto.newBuilder()
            .setName("SessionLog")
            .addField(field("status", 1, FieldDescriptorProto.Type.TYPE_INT32)) // of an enum
            .build();
    DescriptorProto event =
        DescriptorProto.newBuilder()
            .setName("Event")
            .addField(field("wall_time", 1, FieldDescriptorProto.Type.TYPE_DOUBLE))
            .addField(field("step", 2, FieldDescriptorProto.Type.TYPE_INT64))
            .addField(field("file_version", 3, FieldDescriptorProto.Type.TYPE_STRING))
            .addField(
                field("summary", 5, FieldDescriptorProto.Type.TYPE_MESSAGE).setTypeName("Summary"))
            .addField(
                field("session_log", 7, FieldDescriptorProto.Type.TYPE_MESSAGE)
                    .setTypeName("SessionLog"))
            .build();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("events.proto")
            .setSyntax("proto3")
            .addMessageType(value)
            .addMessageType(summary)
            .addMessageType(session)
            .addMessageType(event)
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[0]);
    } catch (DescriptorValidationException e) {
      throw new AssertionError(e);
    }
  }

  private static FieldDescriptorProto.Builder field(
      String name, int number, FieldDescriptorProto.Type type) {
    return FieldDescriptorProto.newBuilder()
        .setName(name)
        .setNumber(number)
        .setType(type)
        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL);
  }

  private static byte[] take(ByteBuffer bytes, int length) {
    byte[] taken = new byte[length];
    bytes.get(taken);
    int expected = bytes.getInt();
    if (masked(taken) != expected) {
      throw new AssertionError("a checksum that does not hold before byte " + bytes.position());
    }
    return taken;
  }

  private static int masked(byte[] bytes) {
    int crc = ~0;
    for (byte value : bytes) {
      crc ^= value & 0xff;
      for (int bit = 0; bit < Byte.SIZE; bit++) {
        crc = (crc & 1) == 0 ? crc >>> 1 : crc >>> 1 ^ REVERSED_POLYNOMIAL;
      }
    }
    crc = ~crc;
    return (crc >>> 15 | crc << 17) + 0xa282ead8;
  }
}
