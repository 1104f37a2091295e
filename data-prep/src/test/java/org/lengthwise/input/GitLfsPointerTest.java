package org.lengthwise.input;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.error.DataFormatException;

class GitLfsPointerTest {
  private static final String POINTER =
      """
      version https://git-lfs.github.com/spec/v1
      oid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393
      size 12345
      """;

  @Test
  void aPointerIsNamedWithTheCommandThatFetchesTheFile(@TempDir Path folder) throws IOException {
    Path file = Files.writeString(folder.resolve("model.safetensors"), POINTER);
    assertThatThrownBy(() -> GitLfsPointer.refuse(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessageStartingWith(file + ": expected")
        .hasMessageContaining("a Git LFS pointer")
        .hasMessageContaining("`git lfs pull`");
  }

  @Test
  void linesMayEndAsOnWindows() {
    byte[] start = POINTER.replace("\n", "\r\n").getBytes(UTF_8);
    assertThatThrownBy(() -> GitLfsPointer.refuse("file", start))
        .isInstanceOf(DataFormatException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "version https",
        "version https://git-lfs.github.com/spec/v1",
        "version https://git-lfs.github.com/spec/v1 begins a pointer",
        " " + POINTER
      })
  void otherTextsAreNoPointers(String text) {
    assertThatCode(() -> GitLfsPointer.refuse("file", text.getBytes(UTF_8)))
        .doesNotThrowAnyException();
  }

  @Test
  void aLongTextThatBeginsLikeAPointerIsNone() {
    byte[] start =
        (POINTER + "x".repeat(2000)).substring(0, GitLfsPointer.LENGTH_LIMIT).getBytes(UTF_8);
    assertThatCode(() -> GitLfsPointer.refuse("file", start)).doesNotThrowAnyException();
  }
}
