package org.lengthwise.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.lengthwise.error.ConfigException;

class FlatKeysTest {
  record Execution(@AbsentMeans("7") int megabytes, String device) {
    Execution {
      Checks.atLeast("megabytes", megabytes, 0);
    }
  }

  record Strings(int samples, @JsonUnwrapped Execution execution) {}

  @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
  sealed interface Measurement {
    @JsonTypeName("accuracy")
    record Accuracy(List<Integer> lengths, @JsonUnwrapped Strings strings) implements Measurement {}
  }

  record Measurements(List<Measurement> measurements) {}

  private static Measurements read(Path folder, String keys) throws IOException {
    String text = "measurements:\n  - kind: accuracy\n    lengths: [4]\n";
    for (String key : keys.split("; ", -1)) {
      text += "    " + key + "\n";
    }
    Path file = Files.writeString(folder.resolve("run.yaml"), text);
    return ConfigLoader.load(file, List.of()).bind(Measurements.class);
  }

  @Test
  void keysOfUnwrappedRecordsStandBesideTheOthers(@TempDir Path folder) throws IOException {
    assertThat(read(folder, "samples: 3; device: cpu").measurements())
        .containsExactly(
            new Measurement.Accuracy(List.of(4), new Strings(3, new Execution(7, "cpu"))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "samples: 3; device: cpu; p: 1 | run.yaml:6: expected one of the keys device, lengths,"
            + " megabytes, samples, found `measurements[0].p`; correct or remove it",
        "samples: 3; devise: cpu | run.yaml:5: expected one of the keys device, lengths, megabytes,"
            + " samples, found `measurements[0].devise` (did you mean `device`?); correct",
        "samples: 3 | run.yaml:2: expected the key `measurements[0].device` (text), found no such"
            + " key; add it",
        "samples: three; device: cpu | run.yaml:4: expected a whole number for"
            + " `measurements[0].samples`, found the text \"three\"; correct the value",
        "samples: 3; device: cpu; megabytes: -1 | run.yaml:6: expected at least 0 for"
            + " `measurements[0].megabytes`, found -1; correct the value"
      })
  void errorsNameTheLineAndAllKeysOfTheRecord(String keys, String message, @TempDir Path folder) {
    assertThatThrownBy(() -> read(folder, keys))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message);
  }
}
