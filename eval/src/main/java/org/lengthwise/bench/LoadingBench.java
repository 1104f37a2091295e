package org.lengthwise.bench;

import ai.djl.Device;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.model.Weights;
import org.lengthwise.training.safetensors.SafetensorsFile;

/**
 * Loading a file of bfloat16 weights, which the system has in its memory. A command that opens a
 * model also computes the file's SHA-256.
 */
record LoadingBench(ModelConfig model, RoundRobinTimer timer) {
  private static final String PLAIN = "bytes read and converted";
  private static final int BUFFER = 1 << 22;

  List<BenchRow> run(Device device) throws IOException {
    Path file = Files.createTempFile("loading", ".safetensors");
    try {
      write(file);
      int numbers = Math.toIntExact(model.numParameters());
      String name = "loading %s MB (tokens are numbers)".formatted(Files.size(file) / 1_000_000);
      return new BenchRow.Workload(BenchPart.FORWARD, name, 0, numbers)
          .rows(
              timer.run(
                  List.of(
                      variant(PLAIN, () -> convert(file)),
                      variant("SHA-256", () -> Sha256.of(file)).inTimeAgainst(PLAIN),
                      variant("16 bits kept", () -> load(file, device, false)).inTimeAgainst(PLAIN),
                      variant("float32", () -> load(file, device, true)).inTimeAgainst(PLAIN))));
    } finally {
      Files.delete(file);
    }
  }

  /** A way to read the file. */
  private interface Reader {
    void read() throws IOException;
  }

  private static RoundRobinTimer.Variant variant(String name, Reader reader) {
    return RoundRobinTimer.Variant.of(
        name,
        () -> {
          try {
            reader.read();
            return 0;
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        });
  }

  private void load(Path file, Device device, boolean widens) throws IOException {
    try (SafetensorsFile tensors = SafetensorsFile.open(file)) {
      Weights.stored(model, tensors, device, widens).close();
    }
  }

  private static void convert(Path file) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.LITTLE_ENDIAN);
    float[] numbers = new float[BUFFER / Short.BYTES];
    try (FileChannel channel = FileChannel.open(file)) {
      while (channel.read(bytes) > 0) {
        bytes.flip();
        for (int i = 0; i < bytes.remaining() / Short.BYTES; i++) {
          numbers[i] = Float.intBitsToFloat(bytes.getShort(Short.BYTES * i) << 16);
        }
        bytes.clear();
      }
    }
  }

  /** Writes random numbers between 2^-7 and 2^-6, and their negatives. */
  private void write(Path file) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    ObjectNode header = mapper.createObjectNode();
    long end = 0;
    for (Map.Entry<String, List<Integer>> tensor : ParameterLayout.shapes(model).entrySet()) {
      long from = end;
      end +=
          tensor.getValue().stream().mapToLong(axis -> axis).reduce(Short.BYTES, (a, b) -> a * b);
      ObjectNode entry = header.putObject(tensor.getKey()).put("dtype", "BF16");
      tensor.getValue().forEach(entry.putArray("shape")::add);
      entry.putArray("data_offsets").add(from).add(end);
    }
    byte[] json = mapper.writeValueAsBytes(header);
    Random random = new Random(1);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER)) {
      ByteBuffer length = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
      out.write(length.putLong(json.length).array());
      out.write(json);
      for (long i = 0; i < end; i += Short.BYTES) {
        int bits = (random.nextInt() & 0x807f) | 0x3c00;
        out.write(bits);
        out.write(bits >> 8);
      }
    }
  }
}
