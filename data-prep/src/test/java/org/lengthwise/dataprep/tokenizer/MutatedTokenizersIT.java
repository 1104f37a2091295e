package org.lengthwise.dataprep.tokenizer;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.config.Mutants;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** Damaged files of tokenizers give tokenizers or named errors, and nothing else. */
class MutatedTokenizersIT {
  private static final int COUNT = 30;
  private static final String SETTINGS =
      """
      {"add_bos_token": true, "bos_token": {"content": "<s>"}, "eos_token": "</s>"}""";

  @TempDir private Path folder;

  static List<String> families() {
    return FamilyLayouts.names();
  }

  @ParameterizedTest
  @MethodSource("families")
  void aDamagedTokenizerIsUsableOrNamed(String family) throws IOException {
    byte[] json = FamilyLayouts.of(family).getBytes(UTF_8);
    Path file = folder.resolve("tokenizer.json");
    useAll(file, file, json, COUNT, family);
  }

  @ParameterizedTest
  @MethodSource("families")
  void aDamagedFileBesideItIsUsableOrNamed(String family) throws IOException {
    Path file = Files.writeString(folder.resolve("tokenizer.json"), FamilyLayouts.of(family));
    Path settings = folder.resolve("tokenizer_config.json");
    useAll(file, settings, SETTINGS.getBytes(UTF_8), COUNT / 4, family);
  }

  private static void useAll(Path file, Path damaged, byte[] sound, int count, String family)
      throws IOException {
    for (int i = 0; i < count; i++) {
      long seed = DiverseText.SEED + i;
      Files.write(damaged, Mutants.of(sound, seed));
      use(file, family + ", seed " + seed);
    }
  }

  private static void use(Path file, String name) {
    try (Tokenizer tokenizer = new HuggingFaceTokenizer(file)) {
      BosRule.of(file);
      int[] ids = tokenizer.encode("the 1 two <think>  é\n\n😀");
      assertThat(Arrays.stream(ids))
          .as(name)
          .allMatch(id -> id >= 0 && id <= tokenizer.largestTextId());
      assertThat(tokenizer.decode(ids)).as(name).isNotNull();
      for (int id : ids) {
        assertThat(tokenizer.numBytes(id)).as(name).isNotNegative();
      }
    } catch (ConfigException | DataFormatException e) {
      assertThat(e.getMessage()).as(name).contains(": expected ").hasSizeLessThan(5000);
    } catch (RuntimeException | Error e) {
      fail(name, e);
    }
  }
}
