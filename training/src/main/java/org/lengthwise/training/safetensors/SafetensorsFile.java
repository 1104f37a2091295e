package org.lengthwise.training.safetensors;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lengthwise.error.DataFormatException;

/** An open safetensors file. Opening reads the header; tensors are read one by one on request. */
public final class SafetensorsFile implements AutoCloseable {
  /** Larger than any model's header, and small enough to be read at once. */
  private static final long LONGEST_HEADER = 100_000_000;

  private static final int BUFFER = 1 << 20;
  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION)
          .build();

  private final Path path;
  private final FileChannel channel;
  private final Map<String, Entry> tensors = new LinkedHashMap<>();
  private final Map<String, String> metadata = new LinkedHashMap<>();
  private long dataStart;

  /**
   * The header's description of one tensor.
   *
   * @param dtype the format of its numbers, such as F32
   * @param shape its axes' sizes; none for a scalar
   * @param from the offset of its first byte, counted from the end of the header
   * @param to the offset after its last byte
   */
  public record Entry(String dtype, List<Integer> shape, long from, long to) {

    /** Requires {@code 0 <= from <= to} and no negative axis. */
    public Entry {
      shape = List.copyOf(shape);
      if (from < 0 || to < from || shape.stream().anyMatch(axis -> axis < 0)) {
        throw new IllegalArgumentException("a tensor of %s at [%d, %d)".formatted(shape, from, to));
      }
    }

    /** The number of elements. */
    long size() {
      return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
    }
  }

  private SafetensorsFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  /**
   * Opens a file.
   *
   * @param path its path
   * @return the open file, to be closed by the caller
   * @throws IOException if it cannot be read
   * @throws DataFormatException if it is not in safetensors format
   */
  public static SafetensorsFile open(Path path) throws IOException {
    SafetensorsFile file =
        new SafetensorsFile(path, FileChannel.open(path, StandardOpenOption.READ));
    boolean sound = false;
    try {
      file.readHeader();
      sound = true;
      return file;
    } catch (JsonProcessingException e) {
      throw file.malformed("a header that is not valid JSON: " + e.getOriginalMessage(), e);
    } catch (EOFException | IllegalArgumentException | ArithmeticException e) {
      throw file.malformed(String.valueOf(e.getMessage()), e);
    } finally {
      if (!sound) {
        file.close();
      }
    }
  }

  private void readHeader() throws IOException {
    long length = read(0, Long.BYTES).getLong();
    if (length < 0 || length > Math.min(LONGEST_HEADER, channel.size() - Long.BYTES)) {
      throw new IllegalArgumentException("a header of %d bytes".formatted(length));
    }
    dataStart = Long.BYTES + length;
    JsonNode header = MAPPER.readTree(read(Long.BYTES, Math.toIntExact(length)).array());
    if (!header.isObject()) {
      throw new IllegalArgumentException("a header that is not a JSON object");
    }
    for (Map.Entry<String, JsonNode> field : header.properties()) {
      if (field.getKey().equals(SafetensorsWriter.METADATA)) {
        field.getValue().properties().forEach(e -> metadata.put(e.getKey(), e.getValue().asText()));
      } else {
        tensors.put(field.getKey(), entry(field.getKey(), field.getValue()));
      }
    }
  }

  private Entry entry(String name, JsonNode node) throws IOException {
    List<Integer> shape = new ArrayList<>();
    node.path("shape").forEach(axis -> shape.add(Math.toIntExact(axis.longValue())));
    JsonNode offsets = node.path("data_offsets");
    if (!node.path("dtype").isTextual() || !node.path("shape").isArray() || offsets.size() != 2) {
      throw new IllegalArgumentException("no dtype, shape and data_offsets for " + name);
    }
    Entry entry =
        new Entry(
            node.get("dtype").textValue(),
            shape,
            offsets.get(0).longValue(),
            offsets.get(1).longValue());
    if (dataStart + entry.to() > channel.size()) {
      throw new IllegalArgumentException(
          "%s until byte %d of %d".formatted(name, dataStart + entry.to(), channel.size()));
    }
    return entry;
  }

  private DataFormatException malformed(String found, Exception cause) {
    return new DataFormatException(
        path.toString(),
        "a file in safetensors format",
        found,
        "download the file again, or use another file",
        cause);
  }

  /** {@return the file's path} */
  public Path path() {
    return path;
  }

  /** {@return the metadata in the header, empty if there is none} */
  public Map<String, String> metadata() {
    return Collections.unmodifiableMap(metadata);
  }

  /** {@return the description of each tensor by name, in the header's order} */
  public Map<String, Entry> tensors() {
    return Collections.unmodifiableMap(tensors);
  }

  /**
   * Reads a tensor of float32, float16 or bfloat16 numbers.
   *
   * @param name its name
   * @return its numbers, row-major; float32 holds each of them exactly
   * @throws IOException if the file cannot be read
   * @throws DataFormatException if there is no such tensor, or its format is another one
   */
  public float[] floats(String name) throws IOException {
    Entry entry = tensors.get(name);
    if (entry == null) {
      throw unreadable("a tensor " + name, "none");
    }
    FloatFormat format =
        FloatFormat.of(entry.dtype())
            .orElseThrow(() -> unreadable(name + " in F32, F16 or BF16", entry.dtype()));
    if (entry.size() > Integer.MAX_VALUE
        || entry.size() * format.bytes() != entry.to() - entry.from()) {
      throw unreadable(
          "%s of %s in %s".formatted(name, entry.shape(), format),
          entry.to() - entry.from() + " bytes");
    }
    float[] values = new float[(int) entry.size()];
    int step = BUFFER / format.bytes();
    for (int first = 0; first < values.length; first += step) {
      int count = Math.min(step, values.length - first);
      long start = dataStart + entry.from() + (long) first * format.bytes();
      ByteBuffer bytes = read(start, count * format.bytes());
      for (int i = first; i < first + count; i++) {
        values[i] = format.next(bytes);
      }
    }
    return values;
  }

  private DataFormatException unreadable(String expected, String found) {
    return new DataFormatException(
        path.toString(), expected, found, "convert the file, or use another file");
  }

  private ByteBuffer read(long position, int count) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN);
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, position + bytes.position()) < 0) {
        throw new EOFException("only %d bytes".formatted(channel.size()));
      }
    }
    return bytes.flip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
