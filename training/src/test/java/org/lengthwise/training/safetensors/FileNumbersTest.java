package org.lengthwise.training.safetensors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.training.safetensors.FileNumbers.Part;

class FileNumbersTest {
  @TempDir private Path folder;

  /** A tensor x of six numbers of 16 bits. */
  private SafetensorsFile file(String dtype, byte... data) throws IOException {
    String header =
        "{\"x\":{\"dtype\":\"%s\",\"shape\":[6],\"data_offsets\":[0,12]}}".formatted(dtype);
    return SafetensorsFile.open(HandWritten.file(folder.resolve("x.safetensors"), header, data));
  }

  @Test
  void bytesOfPartsAreThoseOfTheFile() throws IOException {
    try (SafetensorsFile file = file("BF16", new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})) {
      FileNumbers numbers =
          new FileNumbers(List.of(new Part(file, "x", 4, 2), new Part(file, "x", 0, 3)), true);
      ByteBuffer two = ByteBuffer.allocateDirect(6);
      numbers.nextBytes(two);
      assertThat(bytes(two)).containsExactly(9, 10, 11, 12, 1, 2);
      two.clear().limit(4);
      numbers.nextBytes(two);
      assertThat(bytes(two)).containsExactly(3, 4, 5, 6);
    }
  }

  private static byte[] bytes(ByteBuffer filled) {
    byte[] bytes = new byte[filled.position()];
    filled.flip().get(bytes);
    return bytes;
  }

  @ParameterizedTest
  @CsvSource({
    "BF16, 0x80, 0xff, -Infinity", "BF16, 0x81, 0x7f, NaN",
    "F16, 0x00, 0x7c, Infinity", "F16, 0x01, 0xfc, NaN"
  })
  void aNumberThatIsNotFiniteIsNamed(String dtype, int low, int high, String found)
      throws IOException {
    byte[] data = new byte[12];
    data[8] = (byte) low;
    data[9] = (byte) high;
    try (SafetensorsFile file = file(dtype, data)) {
      FileNumbers numbers = new FileNumbers(List.of(new Part(file, "x", 0, 6)), true);
      assertThatThrownBy(() -> numbers.nextBytes(ByteBuffer.allocateDirect(12)))
          .isInstanceOf(DataFormatException.class)
          .hasMessageContaining("finite numbers in x", found);
    }
  }

  /** The largest finite numbers of both formats. */
  @ParameterizedTest
  @CsvSource({"BF16, 0x7f, 0x7f", "F16, 0xff, 0xfb"})
  void theLargestNumberIsFinite(String dtype, int low, int high) throws IOException {
    byte[] data = new byte[12];
    data[0] = (byte) low;
    data[1] = (byte) high;
    try (SafetensorsFile file = file(dtype, data)) {
      ByteBuffer all = ByteBuffer.allocateDirect(12);
      new FileNumbers(List.of(new Part(file, "x", 0, 6)), true).nextBytes(all);
      assertThat(bytes(all)).containsExactly(data);
    }
  }
}
