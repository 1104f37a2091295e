package org.lengthwise.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
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
import org.lengthwise.bench.BenchPart;
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
    String parts = "scaling,last-token,training,recurrence";
    String json =
        commands.run(bench("--quick", "--json", "--parts", parts, "--output", folder.toString()));
    JsonNode report = new ObjectMapper().readTree(json);
    assertThat(report.at("/machine/processor").asText()).isNotEmpty();
    assertThat(report.at("/config/scaling/lengths")).hasSize(4);
    assertThat(rows(report, "scaling"))
        .extracting(row -> row.get("form").asText())
        .contains("regulargpt", "all scores of regulargpt", "alibi", "all scores of sinusoidal");
    assertThat(rows(report, "last-token"))
        .extracting(row -> row.get("subject").asText())
        .contains("regulargpt with C = 8, 6 layers, d = 32", "t5, 2 layers, d = 32")
        .hasSize(7);
    assertThat(rows(report, "training")).hasSize(3);
    assertThat(rows(report, "recurrence"))
        .extracting(row -> row.get("form").asText())
        .contains("staircase-16-2", "block-recurrent-4-4-1", "plain")
        .hasSize(7 * 3 * 2); // models, passes, lengths
    requireAgreement(report);
    assertThat(folder.resolve("bench.json")).hasContent(json);
    assertThat(folder.resolve("bench.txt")).content().contains("scaling", "recurrence");
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

  @Test
  void anInterruptedMeasurementKeepsItsRows(@TempDir Path kept) throws IOException {
    String[] parts = bench("--quick", "--json", "--parts=last-token", "--output=" + kept);
    JsonNode first = new ObjectMapper().readTree(commands.run(parts));
    Path file = kept.resolve("bench.json");
    ObjectNode cut = first.deepCopy();
    ((ArrayNode) cut.get("rows")).remove(6);
    Files.writeString(file, cut.toString());
    String[] again = Stream.concat(Stream.of(parts), Stream.of("--resume")).toArray(String[]::new);
    JsonNode second = new ObjectMapper().readTree(commands.run(again));
    assertThat(rows(second, "last-token"))
        .startsWith(rows(cut, "last-token").toArray(JsonNode[]::new));
    assertThat(rows(second, "last-token")).hasSize(7);
    assertThat(kept.resolve("bench.md"))
        .content()
        .contains("| t5, 2 layers, d = 32 | last position | 256 |");
    again[2] = "--set=last_token.length=128"; // in the place of --json
    assertThat(commands.fail(2, again)).contains("bench.json", "expected the sizes");
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
    // references at 3 + 1 lengths, 3 pairs of variants of last-token, 2 of training
    assertThat(comparisons).isEqualTo((int) references * 4 + 3 + 2);
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
    for (JsonNode row : rows(new ObjectMapper().readTree(json), "schemes")) {
      rows.put(row.get("form").asText(), row);
      assertThat(row.at("/milliseconds/median").asDouble()).as("%s", row).isPositive();
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

  @Test
  void documentsThatAreReadApartAreARowBesideTheStepOfTheSameText() throws IOException {
    String json =
        commands.run(bench("--quick", "--json", "--parts=schemes", "--set=schemes.documents=20"));
    Map<String, JsonNode> rows = new HashMap<>();
    for (JsonNode row : rows(new ObjectMapper().readTree(json), "schemes")) {
      rows.put(row.get("form").asText(), row);
    }
    JsonNode contrast = requireNonNull(rows.get("alibi")).at("/comparisons/0");
    assertThat(contrast.get("to").asText()).isEqualTo("alibi, within");
    assertThat(contrast.get("ratio").asDouble()).isPositive();
    assertThat(rows).containsKey("alibi, within").doesNotContainKey("regulargpt");
  }

  @Test
  void aSchemeThatFailsDoesNotEndThePart(@TempDir Path kept) throws IOException {
    String[] schemes = {
      "bench",
      "--quick",
      "--parts=schemes",
      "--resume",
      "--set=schemes.steps=1",
      "--set=schemes.schemes.formula.bias=-p * log(0 - a * delta)",
      "--output=" + kept
    };
    for (int run = 0; run < 2; run++) { // the second one keeps all rows
      assertThat(commands.fail(1, schemes))
          .contains(
              "schemes, batch 2, T = 64: formula failed: InvalidValueException: position.bias")
          .doesNotContain("alibi failed");
      JsonNode report = new ObjectMapper().readTree(kept.resolve("bench.json").toFile());
      assertThat(rows(report, "schemes"))
          .hasSize(report.at("/config/schemes/schemes").size())
          .filteredOn(row -> !row.get("failure").isNull())
          .extracting(row -> row.get("form").asText())
          .containsExactly("formula");
    }
    assertThat(kept.resolve("bench.md"))
        .content()
        .contains("| failure |", "expected a finite float32");
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
  void thisCpuAgreesWithTheStoredNumbers() throws IOException {
    JsonNode report =
        new ObjectMapper().readTree(commands.run(bench("--json", "--parts=agreement")));
    List<JsonNode> rows = rows(report, "agreement");
    assertThat(rows).hasSize(report.at("/config/agreement/schemes").size() + 4);
    for (JsonNode row : rows) {
      assertThat(row.get("comparisons")).as("%s", row).hasSizeBetween(3, 4);
      for (JsonNode comparison : row.get("comparisons")) {
        assertThat(comparison.get("difference").asDouble())
            .as("%s", row)
            .isLessThan(comparison.get("limit").asDouble());
      }
    }
    assertThat(commands.fail(2, bench("--parts=agreement", "--set=agreement.length=100")))
        .contains("agreement.safetensors", "reference.sh --numbers");
  }

  @Test
  void theSizesNameEveryScheme() throws IOException {
    String json = commands.run(bench("--quick", "--json", "--parts", "training"));
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
    String[] scaling = {
      "bench",
      "--quick",
      "--parts=scaling",
      "--set=precision=bfloat16",
      "--set=tolerance.bfloat16=0",
      "--output=" + kept
    };
    assertThat(commands.fail(1, scaling))
        .contains("regulargpt differs from all scores of regulargpt by", "0.0e+00");
    assertThat(kept.resolve("bench.txt")).content().contains("bfloat16", "regulargpt");
    assertThat(kept.resolve("bench.json")).isNotEmptyFile();
  }

  @Test
  void theHelpSaysWhatEachPartDoes() {
    String help = commands.run(bench("--help"));
    for (BenchPart part : BenchPart.values()) {
      assertThat(help).containsPattern("(?m)^  " + part + " +\\w");
    }
  }

  @Test
  void unknownPartsAndUnsupportedSchemesAreWrongUsage() {
    assertThat(commands.fail(2, bench("--parts", "everything")))
        .contains("everything", "last-token");
    assertThat(commands.fail(2, bench("--set", "training.model.position.scheme=none")))
        .contains("alibi");
  }
}
