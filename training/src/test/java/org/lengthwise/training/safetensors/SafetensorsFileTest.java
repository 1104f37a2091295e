package org.lengthwise.training.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.error.DataFormatException;

class SafetensorsFileTest {
  @TempDir private Path folder;

  private Path path() {
    return folder.resolve("model.safetensors");
  }

  @Test
  void writtenNumbersAreReadWithTheSameBits() throws IOException {
    Map<String, float[]> values = new LinkedHashMap<>();
    values.put("b", new float[] {1, -0f, Float.MIN_VALUE, Float.NaN, 1e30f, 1 / 3f});
    values.put("a", new float[] {7});
    SafetensorsWriter.write(
        path(),
        Map.of("format", "pt"),
        Map.of("b", List.of(2, 3), "a", List.of()),
        name -> FloatBuffer.wrap(Objects.requireNonNull(values.get(name))));
    try (SafetensorsFile file = SafetensorsFile.open(path())) {
      assertThat(file.metadata()).containsExactly(Map.entry("format", "pt"));
      assertThat(file.tensors()).containsOnlyKeys("a", "b");
      assertThat(Objects.requireNonNull(file.tensors().get("b")).shape()).containsExactly(2, 3);
      values.forEach((name, expected) -> assertThat(read(file, name)).containsExactly(expected));
    }
  }

  private static float[] read(SafetensorsFile file, String name) {
    try {
      return file.floats(name);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void headersArePaddedSoThatNumbersAreAligned() throws IOException {
    SafetensorsWriter.write(
        path(), Map.of(), Map.of("a", List.of(1)), name -> FloatBuffer.wrap(new float[] {1}));
    ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(path())).order(ByteOrder.LITTLE_ENDIAN);
    assertThat(bytes.getLong() % 8).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "F16, 3c00, 1", "F16, c500, -5", "F16, 7bff, 65504", "F16, 0001, 5.9604645e-8",
    "F16, 83ff, -6.097555e-5", "F16, 0400, 6.1035156e-5", "F16, 8000, -0", "F16, fc00, -Infinity",
    "F16, 7e00, NaN", "BF16, 3f80, 1", "BF16, c0a0, -5", "BF16, 0001, 9.18355e-41",
    "BF16, ff80, -Infinity", "BF16, 7f7f, 3.3895314e38"
  })
  void sixteenBitNumbersAreReadExactly(String dtype, String bits, float expected)
      throws IOException {
    int value = Integer.parseInt(bits, 16);
    byte[] data = {(byte) value, (byte) (value >> 8)};
    HandWritten.file(
        path(),
        "{\"x\":{\"dtype\":\"%s\",\"shape\":[1],\"data_offsets\":[0,2]}}".formatted(dtype),
        data);
    try (SafetensorsFile file = SafetensorsFile.open(path())) {
      assertThat(file.floats("x")).containsExactly(expected);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{\"x\":",
        "{\"x\":1}",
        "{\"x\":{\"dtype\":\"F32\",\"shape\":[1]}}",
        "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,400]}}",
        "{\"x\":{\"dtype\":\"F32\",\"shape\":[-1],\"data_offsets\":[0,4]}}",
        "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[4,0]}}",
        "{\"x\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,4]}}",
        "{\"x\":{\"dtype\":\"BOOL\",\"shape\":[2],\"data_offsets\":[0,4]}}",
        "{\"x\":{\"dtype\":\"F32\",\"shape\":[1.0],\"data_offsets\":[0,4]}}",
        "{\"x\":{\"dtype\":\"F4\",\"shape\":[1],\"data_offsets\":[0,9223372036854775807]}}",
        "{\"x\":{\"dtype\":\"F4\",\"shape\":[1],\"data_offsets\":[0,18446744073709551620]}}",
        "{\"x\":{\"dtype\":\"F32\",\"shape\":[65536,65536,65536,65536],\"data_offsets\":[0,0]}}",
        "{\"x\":{\"dtype\":\"F32\",\"shape\":[4294967297],\"data_offsets\":[0,4]}}",
        "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
            + "\"y\":{\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[2,4]}}",
        "{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]},"
            + "\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}",
        "{\"x\":{\"dtype\":\"F16\",\"shape\":[1],\"data_offsets\":[0,2]}}", // and two bytes more
        "\0\0\0\0"
      })
  void damagedHeadersAreRejected(String header) throws IOException {
    HandWritten.file(path(), header, new byte[4]);
    assertThatThrownBy(() -> SafetensorsFile.open(path()).close())
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("expected a file in safetensors format");
  }

  @Test
  void filesThatEndTooEarlyAreRejected() throws IOException {
    Files.write(path(), new byte[] {9, 0, 0, 0, 0, 0, 0, 0, '{'});
    assertThatThrownBy(() -> SafetensorsFile.open(path()).close())
        .hasMessageContaining("found a header of 9 bytes");
    byte[] eightGigabytes = {0, 0, 0, 0, 2, 0, 0, 0, '{'};
    Files.write(path(), eightGigabytes);
    assertThatThrownBy(() -> SafetensorsFile.open(path()).close())
        .hasMessageContaining("found a header of 8589934592 bytes");
    Files.write(path(), new byte[5]);
    assertThatThrownBy(() -> SafetensorsFile.open(path()).close())
        .hasMessageContaining("found only 5 bytes");
  }

  @Test
  void otherFormatsAreRejectedWhenRead() throws IOException {
    HandWritten.file(
        path(),
        "{\"i\":{\"dtype\":\"I64\",\"shape\":[1],\"data_offsets\":[0,8]},"
            + "\"f\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[8,16]}}",
        new byte[16]);
    try (SafetensorsFile file = SafetensorsFile.open(path())) {
      assertThatThrownBy(() -> file.floats("i"))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContaining("expected i in F32, F16 or BF16, found I64");
      assertThatThrownBy(() -> file.floats("x")).hasMessageContaining("expected a tensor x");
    }
  }
}
