package org.lengthwise.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.INTEGER;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.LockFile;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.Samples;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

class ReportIT {
  private final Path root;

  ReportIT(@TempDir Path root) {
    this.root = root;
  }

  private Path report(String name) throws IOException {
    Path output = root.resolve(name);
    Report.under(List.of(root.resolve("results")), SmallExperiment.CONFIG).write(output);
    return output;
  }

  private void results(double explosion) throws IOException {
    Files.createDirectories(root.resolve("results"));
    for (String run : List.of("alibi", "regulargpt-16-2")) {
      for (long seed = 1; seed <= 2; seed++) {
        Samples.write(
            root.resolve("results/" + run + "-" + seed),
            run,
            seed,
            Map.of(128, 5 + 0.1 * seed, 256, 5.1 + 0.1 * seed, 512, explosion));
      }
    }
    ArtifactFolder.create(
        root.resolve("results/field"),
        folder ->
            ResultFile.RECEPTIVE_FIELDS.write(
                folder,
                List.of(
                    Samples.receptiveField("alibi", 1, 512, 30, 300),
                    Samples.receptiveField("alibi", 1, 128, 30, 100))));
  }

  @Test
  void aReportHasTablesPicturesAndOnePage() throws Exception {
    results(6);
    Path output = report("report");
    assertThat(names(output))
        .containsExactlyInAnyOrder(
            ".lock",
            "change-aligned.png",
            "change-aligned.svg",
            "perplexity-aligned.png",
            "perplexity-aligned.svg",
            "receptive-field-128.png",
            "receptive-field-128.svg",
            "receptive-field-512.png",
            "receptive-field-512.svg",
            "receptive-field-of-alibi.png",
            "receptive-field-of-alibi.svg",
            "receptive-field.csv",
            "report.html",
            "report.json",
            "table.csv",
            "table.md",
            "table.tex");
    assertThat(ImageIO.read(output.resolve("perplexity-aligned.png").toFile()).getWidth())
        .isEqualTo(1920);
    assertThat(
            xml(Files.readString(output.resolve("receptive-field-512.svg"))).getDocumentElement())
        .extracting(element -> element.getAttribute("viewBox"))
        .isEqualTo("0 0 960 540");
  }

  @Test
  void lossesByPositionAndDuringTrainingHavePicturesToo() throws Exception {
    SmallExperiment.write(root.resolve("results"));
    Path output = report("report");
    for (String name : List.of("positions-by-position", "training")) {
      assertThat(ImageIO.read(output.resolve(name + ".png").toFile()).getWidth()).isEqualTo(1920);
      assertThat(xml(Files.readString(output.resolve(name + ".svg"))).getElementsByTagName("path"))
          .extracting(NodeList::getLength, INTEGER)
          .isGreaterThan(3);
    }
    String page = Files.readString(output.resolve(Report.PAGE));
    assertThat(page.split("data-chart=\"(?!receptive-field-of)", -1))
        .hasSameSizeAs(page.split("<noscript><div role=\"img\"", -1));
  }

  @Test
  void filesThatAReportNoLongerHasAreDeleted() throws Exception {
    results(6);
    Path output = report("report");
    Files.writeString(output.resolve("mine.svg"), "a picture of the user's");
    Files.move(root.resolve("results/field"), root.resolve("field"));
    assertThat(names(report("report"))).contains("mine.svg", "perplexity-aligned.svg");
    assertThat(output.resolve("receptive-field-512.svg")).doesNotExist();
    assertThat(output.resolve("receptive-field-512.png")).doesNotExist();
    assertThat(output.resolve("receptive-field.csv")).doesNotExist();
  }

  @Test
  void thePageNeedsNoOtherFileAndForbidsRequests() throws Exception {
    results(6);
    String page = Files.readString(report("report").resolve(Report.PAGE));
    assertThat(page).contains("Content-Security-Policy", "default-src 'none'", "Mike Bostock");
    assertThat(page).doesNotContain(" src=", "<link", "@import", "{{");
    assertThat(page.split("<noscript><div role=\"img\"", -1)).hasSize(1 + 4);
    assertThat(page).contains("RegularGPT 16/2", Samples.DATA, "Table 3, for comparison");
  }

  @Test
  void theNumbersOfThePageAreAFile() throws Exception {
    results(60);
    JsonNode data = new ObjectMapper().readTree(report("report").resolve("report.json").toFile());
    assertThat(data.at("/runs/1/heading").asText()).isEqualTo("RegularGPT 16/2");
    assertThat(data.at("/verdicts/1/outcome").asText()).isEqualTo("explodes");
    assertThat(data.at("/estimates"))
        .filteredOn(row -> row.at("/kind").asText().equals("difference"))
        .hasSize(3);
    assertThat(data.at("/estimates/0/nll/interval/low").asDouble()).isBetween(0.0, 1.64);
    JsonNode perplexities = data.at("/charts/0");
    assertThat(perplexities.at("/name").asText()).isEqualTo("perplexity-aligned");
    JsonNode alibi =
        perplexities.at("/series/0/label/run").asText().equals("alibi")
            ? perplexities.at("/series/0")
            : perplexities.at("/series/1");
    assertThat(alibi.at("/points/0/2").asDouble()).isBetween(1.0, 5.15);
    assertThat(data.at("/charts/2/series/0/points").size()).isPositive();
  }

  @Test
  void equalResultsGiveEqualBytes() throws Exception {
    results(900);
    Path first = report("first");
    Path second = report("second");
    report("second");
    for (String name : names(first)) {
      assertThat(second.resolve(name)).hasSameBinaryContentAs(first.resolve(name));
    }
  }

  @Test
  void aReportIsWrittenByOneProcessAtATime() throws Exception {
    results(6);
    Path output = Files.createDirectories(root.resolve("report"));
    try (LockFile lock = LockFile.tryLock(output.resolve(".lock")).orElseThrow()) {
      assertThat(lock).isNotNull();
      assertThatThrownBy(() -> report("report"))
          .isInstanceOf(ConfigException.class)
          .hasMessageContaining("report: expected a folder that no other process writes");
    }
    assertThat(names(output)).containsExactly(".lock");
    assertThat(report("report").resolve("report.html")).isNotEmptyFile();
  }

  @Test
  void aFolderWithOtherFilesIsRefused() throws Exception {
    results(6);
    Path table = Files.createDirectories(root.resolve("mine")).resolve("table.csv");
    Files.writeString(table, "mine");
    assertThatThrownBy(() -> report("mine"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("found other files, such as table.csv; name another folder");
    assertThat(table).hasContent("mine");
    Files.writeString(table.resolveSibling("report.json"), "{\"files\": [\"table.csv\"]}");
    assertThatThrownBy(() -> report("mine"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("found other files");
    assertThat(table).hasContent("mine");
  }

  @Test
  void aDamagedDescriptionOfARunIsBadData() throws Exception {
    SmallExperiment.write(root.resolve("results"));
    Path description =
        root.resolve("results/t5-seed1/checkpoints/step-00000300").resolve("config.json");
    Files.writeString(description, "{\"format_version\"");
    assertThatThrownBy(() -> report("report"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining(description.toString());
  }

  @Test
  void needsFinishedResults() throws Exception {
    Files.createDirectories(root.resolve("results"));
    assertThatThrownBy(() -> report("report"))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("DONE");
  }

  private static List<String> names(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static Document xml(String text) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setFeature(XMLConstants.FEATURE_SECURE_PROCESSING, true);
    factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
    return factory.newDocumentBuilder().parse(new InputSource(new StringReader(text)));
  }
}
