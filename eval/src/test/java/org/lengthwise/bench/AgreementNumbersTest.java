package org.lengthwise.bench;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.safetensors.SafetensorsFile;
import org.lengthwise.training.safetensors.SafetensorsWriter;

/** conf/agreement.safetensors against the plain-double reference, which also writes it. */
class AgreementNumbersTest {
  private static final Path CONF = Path.of("../conf");
  private static final Path FILE = CONF.resolve("agreement.safetensors");
  private static final String WRITES = "lengthwise.numbers.write";

  private final AgreementBench bench =
      ConfigLoader.load(CONF.resolve("bench.yaml"), List.of()).bind(BenchConfig.class).agreement();

  private float[] expected(AttentionReference reference, int result) {
    int[] at = places(reference, result);
    float[] numbers = new float[at.length];
    for (int i = 0; i < at.length; i++) {
      numbers[i] = (float) reference.at(result, at[i]);
    }
    return numbers;
  }

  private int[] places(AttentionReference reference, int result) {
    return bench.places(result < reference.sample().levels(), reference.size(result));
  }

  /** {@code scripts/reference.sh --numbers} */
  @Test
  @EnabledIfSystemProperty(named = WRITES, matches = "true")
  void areWritten() throws IOException {
    Map<String, float[]> numbers = new LinkedHashMap<>();
    for (String name : bench.schemes().keySet()) {
      AttentionReference reference = new AttentionReference(bench.sample(name));
      for (int result = 0; result < reference.numResults(); result++) {
        numbers.put(AgreementBench.tensor(name, result), expected(reference, result));
      }
    }
    SchemesBench losses = bench.losses();
    for (var each : losses.trainings(losses.lengths().get(0)).entrySet()) {
      numbers.put(
          AgreementBench.losses(each.getKey()),
          AgreementBench.losses(each.getValue(), Precision.FLOAT32, Devices.of("cpu")));
    }
    Map<String, List<Integer>> shapes = new LinkedHashMap<>();
    numbers.forEach((name, each) -> shapes.put(name, List.of(each.length)));
    SafetensorsWriter.write(
        FILE,
        Map.of(AgreementBench.SIZES, bench.sizes()),
        shapes,
        name -> FloatBuffer.wrap(requireNonNull(numbers.get(name))));
  }

  @Test
  @DisabledIfSystemProperty(named = WRITES, matches = "true")
  void belongToTheSizesAndAreSmall() throws IOException {
    try (SafetensorsFile file = SafetensorsFile.open(FILE)) {
      assertThat(file.metadata().get(AgreementBench.SIZES))
          .as("run scripts/reference.sh --numbers")
          .isEqualTo(bench.sizes());
    }
    assertThat(Files.size(FILE)).isLessThan(3_000_000);
  }

  /** Some values of every scheme, and the gradient of the row that the fewest queries see. */
  @Test
  @DisabledIfSystemProperty(named = WRITES, matches = "true")
  void areThoseOfTheReference() throws IOException {
    try (SafetensorsFile file = SafetensorsFile.open(FILE)) {
      for (String name : bench.schemes().keySet()) {
        AttentionReference reference = new AttentionReference(bench.sample(name));
        for (int result = 0; result <= reference.sample().levels(); result++) {
          int[] at = places(reference, result);
          float[] stored = file.numbers(AgreementBench.tensor(name, result)).floats().array();
          assertThat(stored).hasSameSizeAs(at);
          int last = 0;
          for (int i = 0; i < at.length; i++) {
            last = at[i] > at[last] ? i : last;
          }
          assertThat((double) stored[last])
              .as("%s, result %s", name, result)
              .isCloseTo(reference.at(result, at[last]), within(1e-6));
        }
      }
    }
  }

  @Test
  @Tag("acceptance")
  @DisabledIfSystemProperty(named = WRITES, matches = "true")
  void areAllThoseOfTheReference() throws IOException {
    try (SafetensorsFile file = SafetensorsFile.open(FILE)) {
      for (String name : bench.schemes().keySet()) {
        AttentionReference reference = new AttentionReference(bench.sample(name));
        for (int result = 0; result < reference.numResults(); result++) {
          assertThat(file.numbers(AgreementBench.tensor(name, result)).floats().array())
              .as("%s, result %s", name, result)
              .isEqualTo(expected(reference, result));
        }
      }
    }
  }
}
