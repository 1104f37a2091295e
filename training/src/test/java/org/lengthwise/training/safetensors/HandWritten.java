package org.lengthwise.training.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.StringJoiner;

/** Safetensors files built by hand, valid and invalid ones. */
public final class HandWritten {
  private HandWritten() {}

  /** A file with the given header and bytes. */
  public static Path file(Path path, String header, byte[] data) throws IOException {
    byte[] json = header.getBytes(StandardCharsets.UTF_8);
    ByteBuffer bytes =
        ByteBuffer.allocate(Long.BYTES + json.length + data.length)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putLong(json.length)
            .put(json)
            .put(data);
    return Files.write(path, bytes.array());
  }

  /** A file of tensors. Keys are names with axes, such as {@code w 2 3}. */
  public static Path floats(Path path, Map<String, float[]> tensors) throws IOException {
    int size = tensors.values().stream().mapToInt(values -> values.length).sum();
    ByteBuffer data = ByteBuffer.allocate(Float.BYTES * size).order(ByteOrder.LITTLE_ENDIAN);
    StringJoiner header = new StringJoiner(",", "{", "}");
    tensors.forEach(
        (heading, values) -> {
          int from = data.position();
          for (float value : values) {
            data.putFloat(value);
          }
          String[] parts = heading.split(" ", 2);
          String axes = parts.length == 1 ? "" : parts[1].replace(' ', ',');
          header.add(
              "\"%s\":{\"dtype\":\"F32\",\"shape\":[%s],\"data_offsets\":[%s,%s]}"
                  .formatted(parts[0], axes, from, data.position()));
        });
    return file(path, header.toString(), data.array());
  }
}
