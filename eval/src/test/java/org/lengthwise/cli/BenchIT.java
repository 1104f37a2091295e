package org.lengthwise.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.positional.PositionalScheme;

/** {@code bench}: every part at small sizes. */
class BenchIT {
  @TempDir private static Path folder;

  private final CommandRunner commands = new CommandRunner();

  private static String[] bench(String... options) {
    return Stream.concat(Stream.of("bench"), Stream.of(options)).toArray(String[]::new);
  }

  @Test
  void measuresEveryPart() throws IOException {
    String parts = "attention,scaling,last-token,training,recurrence,reading,soak";
    String json =
        commands.run(bench("--quick", "--json", "--parts", parts, "--output", folder.toString()));
    JsonNode report = new ObjectMapper().readTree(json);
    assertThat(report.at("/machine/processor").asText()).isNotEmpty();
    assertThat(report.at("/config/scaling/lengths")).hasSize(4);
    assertThat(rows(report, "attention")).hasSize(8);
    assertThat(rows(report, "scaling"))
        .extracting(row -> row.get("form").asText())
        .contains("regulargpt", "all scores of regulargpt", "alibi", "all scores of sinusoidal");
    assertThat(rows(report, "last-token"))
        .extracting(row -> row.get("subject").asText())
        .contains("regulargpt, 6 layers, d = 32", "t5, 2 layers, d = 32")
        .hasSize(7);
    assertThat(rows(report, "training")).hasSize(3);
    assertThat(rows(report, "recurrence"))
        .extracting(row -> row.get("form").asText())
        .contains("staircase-16-2", "block-recurrent-4-4-1", "plain")
        .hasSize(7 * 3 * 2); // models, passes, lengths
    assertThat(report.at("/reading/windows")).hasSize(1);
    assertThat(report.at("/soak")).hasSize(10);
    requireFlatMemory(report.at("/soak"));
    requireAgreement(report);
    assertThat(folder.resolve("bench.json")).hasContent(json);
    assertThat(folder.resolve("bench.txt")).content().contains("scaling", "resident MB");
    List<String> plots =
        List.of(
            "cost-inference",
            "cost-with-gradients",
            "slowdown-staircase-training-step",
            "slowdown-block-recurrent-every-position");
    for (String plot : plots) {
      assertThat(folder.resolve(plot + ".svg")).isNotEmptyFile();
      assertThat(folder.resolve(plot + ".png")).isNotEmptyFile();
    }
  }

  /** Checks the last nine tenths, after all classes are loaded, where the memory is known. */
  private static void requireFlatMemory(JsonNode soak) {
    JsonNode first = soak.at("/0/resident_bytes");
    if (first.isNumber()) {
      assertThat(soak.at("/9/resident_bytes").asLong() - first.asLong()).isLessThan(64L << 20);
    }
  }

  private static void requireAgreement(JsonNode report) {
    int comparisons = 0;
    for (JsonNode row : report.get("rows")) {
      assertThat(row.at("/milliseconds/median").asDouble()).as("%s", row).isPositive();
      for (JsonNode comparison : row.get("comparisons")) {
        assertThat(comparison.get("ratio").asDouble()).as("%s", row).isPositive();
        JsonNode difference = comparison.get("difference");
        assertThat(difference.isNull()).isEqualTo(row.get("part").asText().equals("recurrence"));
        if (!difference.isNull()) {
          assertThat(difference.asDouble()).as("%s", row).isLessThan(2e-5);
          comparisons++;
        }
      }
    }
    long references =
        rows(report, "scaling").stream()
            .map(row -> row.get("form").asText())
            .filter(form -> form.startsWith("all scores of "))
            .distinct()
            .count();
    assertThat(references).isGreaterThanOrEqualTo(20);
    // 4 of attention, references at 3 + 1 lengths, 3 pairs of variants of last-token, 2 of training
    assertThat(comparisons).isEqualTo(4 + (int) references * 4 + 3 + 2);
  }

  private static List<JsonNode> rows(JsonNode report, String part) {
    List<JsonNode> rows = new ArrayList<>();
    for (JsonNode row : report.get("rows")) {
      if (row.get("part").asText().equals(part)) {
        rows.add(row);
      }
    }
    return rows;
  }

  @Test
  void profilesNameTheAttentionOperatorsOfEachScheme(@TempDir Path kept) throws IOException {
    String[] schemes = {
      "bench", "--quick", "--json", "--parts", "schemes", "--profile", "--output=" + kept
    };
    String json = commands.run(schemes);
    Map<String, JsonNode> rows = new HashMap<>();
    for (JsonNode row : new ObjectMapper().readTree(json).get("schemes")) {
      rows.put(row.get("scheme").asText(), row);
      assertThat(row.get("tokens_per_second").asDouble()).as("%s", row).isPositive();
      assertThat(row.get("mfu").isNull()).as("%s", row).isTrue();
      assertThat(row.at("/profile/outside_products").asDouble()).as("%s", row).isBetween(0.0, 1.0);
    }
    // Two layers, two micro-batches. On a CPU no fused kernel computes gradients of a bias.
    assertThat(attention(rows, "alibi"))
        .isEqualTo(
            Map.of(
                "aten::_scaled_dot_product_flash_attention_for_cpu", 4,
                "aten::_scaled_dot_product_flash_attention_for_cpu_backward", 4));
    assertThat(attention(rows, "kerple-log")).isEqualTo(Map.of("aten::_softmax_backward_data", 4));
    assertThat(new ObjectMapper().readTree(kept.resolve("traces/alibi-64.json").toFile()))
        .isNotEmpty();
    assertThat(kept.resolve("bench.txt")).content().contains("4 aten::_softmax_backward_data");
  }

  private static Map<String, Integer> attention(Map<String, JsonNode> rows, String scheme) {
    Map<String, Integer> found = new HashMap<>();
    requireNonNull(rows.get(scheme))
        .at("/profile/attention")
        .properties()
        .forEach(each -> found.put(each.getKey(), each.getValue().asInt()));
    return found;
  }

  @Test
  void theSizesNameEveryScheme() throws IOException {
    String json = commands.run(bench("--quick", "--json", "--parts", "reading"));
    JsonNode config = new ObjectMapper().readTree(json).get("config");
    for (String part : List.of("scaling", "schemes")) {
      Set<String> measured = new TreeSet<>();
      config
          .get(part)
          .get("schemes")
          .forEach(scheme -> measured.add(scheme.get("scheme").asText()));
      assertThat(measured).as(part).containsAll(names(PositionalScheme.class).toList());
    }
  }

  /** The names of the records of a sealed family in configuration files. */
  private static Stream<String> names(Class<?> family) {
    return family.isSealed()
        ? Stream.of(family.getPermittedSubclasses()).flatMap(BenchIT::names)
        : Stream.ofNullable(family.getAnnotation(JsonTypeName.class)).map(JsonTypeName::value);
  }

  @Test
  void variantsThatDisagreeAreNamedAfterTheOutputIsWritten(@TempDir Path kept) throws IOException {
    String[] attention = {
      "bench",
      "--quick",
      "--parts=attention",
      "--set=precision=bfloat16",
      "--set=tolerance.bfloat16=0",
      "--output=" + kept
    };
    assertThat(commands.fail(1, attention))
        .contains("structured differs from dense masks by", "0.0e+00");
    assertThat(kept.resolve("bench.txt")).content().contains("bfloat16", "structured");
    assertThat(kept.resolve("bench.json")).isNotEmptyFile();
  }

  @Test
  void unknownPartsAndUnsupportedSchemesAreWrongUsage() {
    assertThat(commands.fail(2, bench("--parts", "everything")))
        .contains("everything", "last-token");
    assertThat(commands.fail(2, bench("--set", "training.model.position.scheme=none")))
        .contains("alibi");
  }
}
