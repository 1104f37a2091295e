package org.lengthwise.eval.cli;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.positional.PositionalScheme;

/** Every part of the benchmarks at small size, through the command line. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BenchIT {
  @TempDir private static Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @BeforeAll
  void knowsTheConfiguration() {
    System.setProperty("lengthwise.home", Path.of("..").toAbsolutePath().normalize().toString());
  }

  private int execute(String... arguments) {
    out.getBuffer().setLength(0);
    err.getBuffer().setLength(0);
    return Lengthwise.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(Stream.concat(Stream.of("bench"), Stream.of(arguments)).toArray(String[]::new));
  }

  @Test
  void measuresEveryPart() throws IOException {
    String parts = "attention,scaling,last-token,training,reading,soak";
    int code = execute("--quick", "--json", "--parts", parts, "--output", folder.toString());
    assertThat(code).isZero();
    JsonNode report = new ObjectMapper().readTree(out.toString());
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
    assertThat(report.at("/reading/windows")).hasSize(1);
    assertThat(report.at("/soak")).hasSize(10);
    requireFlatMemory(report.at("/soak"));
    requireAgreement(report);
    assertThat(folder.resolve("bench.json")).hasContent(out.toString());
    assertThat(folder.resolve("bench.txt")).content().contains("scaling", "resident MB");
    for (String plot : List.of("cost-inference", "cost-with-gradients")) {
      assertThat(folder.resolve(plot + ".svg")).isNotEmptyFile();
      assertThat(folder.resolve(plot + ".png")).isNotEmptyFile();
    }
  }

  /** Over its last nine tenths, once everything is loaded; a system may not tell. */
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
        assertThat(comparison.get("difference").asDouble()).as("%s", row).isLessThan(2e-5);
        comparisons++;
      }
    }
    // 4 of attention, 12 schemes at 3 + 1 lengths, 3 pairs of last-token's forms, 2 of training
    assertThat(comparisons).isEqualTo(4 + 12 * 4 + 3 + 2);
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
  void namesTheAttentionThatRanInAStepOfEachScheme(@TempDir Path kept) throws IOException {
    String[] arguments = {"--quick", "--json", "--parts", "schemes", "--profile", "--output"};
    assertThat(
            execute(
                Stream.concat(Stream.of(arguments), Stream.of(kept.toString()))
                    .toArray(String[]::new)))
        .as("%s", err)
        .isZero();
    Map<String, JsonNode> rows = new HashMap<>();
    for (JsonNode row : new ObjectMapper().readTree(out.toString()).get("schemes")) {
      rows.put(row.get("scheme").asText(), row);
      assertThat(row.get("tokens_per_second").asDouble()).as("%s", row).isPositive();
      assertThat(row.get("mfu").isNull()).as("%s", row).isTrue();
      assertThat(row.at("/profile/outside_products").asDouble()).as("%s", row).isBetween(0.0, 1.0);
    }
    // Two layers, two micro-batches. A CPU has no fused kernel that gives gradients of a bias.
    assertThat(attention(rows, "alibi"))
        .isEqualTo(
            Map.of(
                "aten::_scaled_dot_product_flash_attention_for_cpu", 4,
                "aten::_scaled_dot_product_flash_attention_for_cpu_backward", 4));
    assertThat(attention(rows, "kerple-log"))
        .isEqualTo(Map.of("aten::_softmax", 4, "aten::_softmax_backward_data", 4));
    assertThat(new ObjectMapper().readTree(kept.resolve("traces/alibi-64.json").toFile()))
        .isNotEmpty();
    assertThat(kept.resolve("bench.txt")).content().contains("4 aten::_softmax;");
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
  void knowsEveryScheme() throws IOException {
    assertThat(execute("--quick", "--json", "--parts", "reading")).isZero();
    Set<String> measured = new TreeSet<>();
    new ObjectMapper()
        .readTree(out.toString())
        .at("/config/scaling/schemes")
        .forEach(scheme -> measured.add(scheme.get("scheme").asText()));
    assertThat(PositionalScheme.class.getAnnotation(JsonSubTypes.class).value())
        .extracting(JsonSubTypes.Type::name)
        .allSatisfy(name -> assertThat(measured).contains(name));
  }

  @Test
  void formsThatDisagreeAreNamedAfterTheOutputIsKept(@TempDir Path kept) {
    int code =
        execute(
            "--quick",
            "--parts",
            "attention",
            "--set",
            "precision=bfloat16",
            "--set",
            "tolerance.bfloat16=0",
            "--output",
            kept.toString());
    assertThat(code).isEqualTo(1);
    assertThat(err.toString()).contains("structured differs from dense masks by", "0.0e+00");
    assertThat(out.toString()).contains("bfloat16", "structured");
    assertThat(kept.resolve("bench.json")).isNotEmptyFile();
  }

  @Test
  void refusesWhatItCannotMeasure() {
    assertThat(execute("--parts", "everything")).isEqualTo(2);
    assertThat(err.toString()).contains("everything", "last-token");
    assertThat(execute("--set", "training.model.position.scheme=none")).isEqualTo(2);
    assertThat(err.toString()).contains("alibi");
  }
}
