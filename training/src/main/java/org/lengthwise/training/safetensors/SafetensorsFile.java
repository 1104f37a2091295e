package org.lengthwise.training.safetensors;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.CharConversionException;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.JsonFault;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.input.GitLfsPointer;

/** An open safetensors file. Opening reads the header; tensors are read one by one on request. */
public final class SafetensorsFile implements Tensors {
  /** Larger than any model's header, and small enough to be read at once. */
  private static final long LONGEST_HEADER = 100_000_000;

  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  /** The bytes of a number of each format that has whole bytes. */
  private static final Map<String, Integer> SIZES =
      Map.ofEntries(
          Map.entry("F64", 8),
          Map.entry("I64", 8),
          Map.entry("U64", 8),
          Map.entry("F32", 4),
          Map.entry("I32", 4),
          Map.entry("U32", 4),
          Map.entry("F16", 2),
          Map.entry("BF16", 2),
          Map.entry("I16", 2),
          Map.entry("U16", 2),
          Map.entry("F8_E4M3", 1),
          Map.entry("F8_E5M2", 1),
          Map.entry("I8", 1),
          Map.entry("U8", 1),
          Map.entry("BOOL", 1));

  private final Path path;
  private final FileChannel channel;
  private final Map<String, Entry> tensors = new LinkedHashMap<>();
  private final Map<String, String> metadata = new LinkedHashMap<>();
  private long dataStart;

  /**
   * The header's description of one tensor. Offsets are in bytes.
   *
   * @param from the offset of its first byte, counted from the end of the header
   * @param to the offset after its last byte
   */
  public record Entry(String dtype, List<Integer> shape, long from, long to) {

    public Entry {
      shape = List.copyOf(shape);
      if (from < 0 || to < from || shape.stream().anyMatch(axis -> axis < 0)) {
        throw new IllegalArgumentException("a tensor of %s at [%s, %s)".formatted(shape, from, to));
      }
    }

    public long size() {
      return shape.stream().mapToLong(Integer::longValue).reduce(1, Math::multiplyExact);
    }

    private boolean fills(int bytesPerNumber) {
      try {
        return Math.multiplyExact(size(), bytesPerNumber) == to - from;
      } catch (ArithmeticException e) {
        return false; // more numbers than any file has
      }
    }

    /** {@return whether {@link SafetensorsFile#floats} reads the format of the numbers} */
    public boolean isReadable() {
      return FloatFormat.of(dtype).isPresent();
    }
  }

  private SafetensorsFile(Path path, FileChannel channel) {
    this.path = path;
    this.channel = channel;
  }

  public static SafetensorsFile open(Path path) throws IOException {
    GitLfsPointer.refuse(path);
    SafetensorsFile file =
        new SafetensorsFile(path, FileChannel.open(path, StandardOpenOption.READ));
    boolean sound = false;
    try {
      file.readHeader();
      sound = true;
      return file;
    } catch (JsonProcessingException e) {
      throw file.malformed("a header with " + JsonFault.inWords(e), e);
    } catch (EOFException
        | CharConversionException
        | IllegalArgumentException
        | ArithmeticException e) {
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
      throw new IllegalArgumentException(
          "a header of %s bytes in a file of %s"
              .formatted(Long.toUnsignedString(length), channel.size()));
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
    requireDisjoint();
    long end = tensors.values().stream().mapToLong(Entry::to).reduce(0, Math::max);
    if (end < channel.size() - dataStart) {
      throw new IllegalArgumentException(
          "%s bytes after the last tensor".formatted(channel.size() - dataStart - end));
    }
  }

  private Entry entry(String name, JsonNode node) throws IOException {
    List<Integer> shape = new ArrayList<>();
    node.path("shape").forEach(axis -> shape.add(axis(name, integer(name, axis))));
    JsonNode offsets = node.path("data_offsets");
    if (!node.path("dtype").isTextual() || !node.path("shape").isArray() || offsets.size() != 2) {
      throw new IllegalArgumentException("no dtype, shape and data_offsets for " + name);
    }
    Entry entry =
        new Entry(
            node.get("dtype").textValue(),
            shape,
            integer(name, offsets.get(0)),
            integer(name, offsets.get(1)));
    if (entry.to() > channel.size() - dataStart) {
      throw new IllegalArgumentException(
          "%s until byte %s of %s".formatted(name, entry.to(), channel.size() - dataStart));
    }
    Integer bytes = SIZES.get(entry.dtype());
    if (bytes != null && !entry.fills(bytes)) {
      throw new IllegalArgumentException(
          "%s of %s in %s with %s bytes"
              .formatted(name, shape, entry.dtype(), entry.to() - entry.from()));
    }
    return entry;
  }

  private static int axis(String name, long length) {
    if (length != (int) length) {
      throw new IllegalArgumentException("%s with an axis of %s".formatted(name, length));
    }
    return (int) length;
  }

  private static long integer(String name, JsonNode number) {
    if (!number.isIntegralNumber() || !number.canConvertToLong()) {
      throw new IllegalArgumentException(number + " in the shape or data_offsets of " + name);
    }
    return number.longValue();
  }

  /** Two tensors do not share bytes. */
  private void requireDisjoint() {
    List<Map.Entry<String, Entry>> sorted =
        tensors.entrySet().stream()
            .filter(tensor -> tensor.getValue().to() > tensor.getValue().from())
            .sorted(Comparator.comparingLong(tensor -> tensor.getValue().from()))
            .toList();
    for (int i = 1; i < sorted.size(); i++) {
      if (sorted.get(i).getValue().from() < sorted.get(i - 1).getValue().to()) {
        throw new IllegalArgumentException(
            "%s and %s in the same bytes"
                .formatted(sorted.get(i - 1).getKey(), sorted.get(i).getKey()));
      }
    }
  }

  private DataFormatException malformed(String found, Exception cause) {
    return new DataFormatException(
        path.toString(),
        "a file in safetensors format",
        found,
        "download the file again, or use another file",
        cause);
  }

  public Path path() {
    return path;
  }

  public Map<String, String> metadata() {
    return Collections.unmodifiableMap(metadata);
  }

  /** {@return the tensors by name, in the header's order} */
  public Map<String, Entry> tensors() {
    return Collections.unmodifiableMap(tensors);
  }

  /**
   * Reads a tensor of float32, float16 or bfloat16 numbers.
   *
   * @throws DataFormatException if there is no such tensor, or its format is another one
   */
  @Override
  public StoredNumbers numbers(String name) {
    Entry entry = entry(name);
    if (entry.size() > Integer.MAX_VALUE) {
      throw unreadable("%s of less than 2^31 numbers".formatted(name), entry.shape().toString());
    }
    return new FileNumbers(List.of(new FileNumbers.Part(this, name, 0, (int) entry.size())), false);
  }

  private Entry entry(String name) {
    Entry entry = tensors.get(name);
    if (entry == null) {
      throw unreadable("a tensor " + name, "none");
    }
    return entry;
  }

  FloatFormat format(String name) {
    String dtype = entry(name).dtype();
    return FloatFormat.of(dtype)
        .orElseThrow(() -> unreadable(name + " in F32, F16 or BF16", dtype));
  }

  void read(String name, int first, ByteBuffer bytes) throws IOException {
    read(dataStart + entry(name).from() + (long) first * format(name).bytes(), bytes);
  }

  private DataFormatException unreadable(String expected, String found) {
    return new DataFormatException(
        path.toString(), expected, found, "convert the file, or use another file");
  }

  private ByteBuffer read(long position, int count) throws IOException {
    return read(position, ByteBuffer.allocate(count).order(ByteOrder.LITTLE_ENDIAN));
  }

  private ByteBuffer read(long position, ByteBuffer bytes) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.read(bytes, position + bytes.position()) < 0) {
        throw new EOFException("only %s bytes".formatted(channel.size()));
      }
    }
    return bytes.flip();
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
