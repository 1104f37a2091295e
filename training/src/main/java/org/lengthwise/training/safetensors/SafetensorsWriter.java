package org.lengthwise.training.safetensors;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Writes float32 tensors in safetensors format, one at a time. */
public final class SafetensorsWriter {
  static final String METADATA = "__metadata__";

  /** The first tensor's offset is a multiple of this, so that a mapped file is aligned. */
  private static final int ALIGNMENT = 8;

  private static final int BUFFER = 1 << 20;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private SafetensorsWriter() {}

  /**
   * Writes a file. The source is called once for each tensor, in the order of the shapes.
   *
   * @param shapes each tensor's axes by name, in the order of writing
   * @throws IllegalArgumentException if a tensor's size differs from its shape
   */
  public static void write(
      Path file,
      Map<String, String> metadata,
      Map<String, List<Integer>> shapes,
      TensorSource source)
      throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER)) {
      byte[] header = header(metadata, shapes);
      byte[] length = new byte[Long.BYTES];
      littleEndian(length).putLong(header.length);
      out.write(length);
      out.write(header);
      for (Map.Entry<String, List<Integer>> tensor : shapes.entrySet()) {
        FloatBuffer numbers = source.numbers(tensor.getKey());
        if (numbers.remaining() != size(tensor.getValue())) {
          throw new IllegalArgumentException(
              "%s of %s has %s numbers"
                  .formatted(tensor.getKey(), tensor.getValue(), numbers.remaining()));
        }
        write(out, numbers);
      }
    }
  }

  private static byte[] header(Map<String, String> metadata, Map<String, List<Integer>> shapes)
      throws IOException {
    ObjectNode header = MAPPER.createObjectNode();
    if (!metadata.isEmpty()) {
      header.set(METADATA, MAPPER.valueToTree(metadata));
    }
    long offset = 0;
    for (Map.Entry<String, List<Integer>> tensor : shapes.entrySet()) {
      long end = offset + Float.BYTES * size(tensor.getValue());
      ObjectNode entry = header.putObject(tensor.getKey()).put("dtype", FloatFormat.F32.name());
      tensor.getValue().forEach(entry.putArray("shape")::add);
      entry.putArray("data_offsets").add(offset).add(end);
      offset = end;
    }
    byte[] json = MAPPER.writeValueAsString(header).getBytes(StandardCharsets.UTF_8);
    byte[] padded = Arrays.copyOf(json, json.length + Math.floorMod(-json.length, ALIGNMENT));
    Arrays.fill(padded, json.length, padded.length, (byte) ' ');
    return padded;
  }

  private static long size(List<Integer> shape) {
    return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
  }

  private static void write(OutputStream out, FloatBuffer numbers) throws IOException {
    byte[] bytes = new byte[BUFFER];
    FloatBuffer piece = littleEndian(bytes).asFloatBuffer();
    int from = numbers.position();
    while (from < numbers.limit()) {
      int count = Math.min(piece.capacity(), numbers.limit() - from);
      piece.put(0, numbers, from, count);
      out.write(bytes, 0, count * Float.BYTES);
      from += count;
    }
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
