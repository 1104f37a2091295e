package org.lengthwise.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.EnumName;
import org.lengthwise.plot.Axis;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Format;
import org.lengthwise.plot.Palette;
import org.lengthwise.plot.Series;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.Section.Figure;
import org.lengthwise.report.form.Section.Folded;
import org.lengthwise.report.form.Section.Note;
import org.lengthwise.report.form.Section.Origin;
import org.lengthwise.report.form.Section.Place;
import org.lengthwise.report.form.Section.Table;
import org.lengthwise.report.form.TableText;

class PageTest {
  private static String page(Section.Block... blocks) throws IOException {
    String page =
        Page.of(
            new Looks(List.of()),
            List.of(),
            List.of(new Section("<Heading> & T_ex", List.of(blocks))),
            BuildInfo.current());
    return page.substring(page.indexOf("<main"), page.indexOf("<script>"));
  }

  private static Table table(String cell, Place place) {
    return new Table(
        new TableText(
            "\"Title\"",
            List.of("a<", "b"),
            List.of(TableText.line("<row>", List.of(cell))),
            List.of(),
            List.of("Explained & more"),
            "rr"),
        place);
  }

  @Test
  void everyTextIsEscaped() throws IOException {
    assertThat(page(new Note("a < b at T_tr", true), table("<script>", Place.BOTH)))
        .contains(
            "<h2>&lt;Heading&gt; &amp; <i>T</i><sub>ex</sub></h2>",
            "<p class=\"note warning\">a &lt; b at <i>T</i><sub>tr</sub></p>",
            "aria-label=\"&quot;Title&quot;\"",
            "<th scope=\"row\">&lt;row&gt;</th><td>&lt;script&gt;</td>",
            "<p class=\"note\">Explained &amp; more</p>")
        .doesNotContain("<row>");
  }

  @Test
  void dataCannotEndTheirScript() throws IOException {
    Series series =
        new Series(
            new Series.Label("</script>", "run", 0),
            Series.Style.BARS,
            List.of(new Series.Point(1, 1 / 3.0, 0, 1)),
            "");
    Chart chart =
        new Chart(
            "chart",
            "title",
            "",
            new Axis("", Axis.Scale.LINEAR, Format.COUNT),
            new Axis("", Axis.Scale.LINEAR, Format.NATS),
            List.of(series));
    assertThat(page(new Figure(chart, false)))
        .contains("\\u003c/script>", "[1.0,0.333333,0.0,1.0]")
        .doesNotContain("</script>\"", "<noscript>");
  }

  @Test
  void tablesOfFilesAreNotOnThePage() throws IOException {
    Folded folded =
        new Folded(
            "summary",
            "",
            false,
            false,
            List.of(table("both", Place.BOTH), table("page", Place.PAGE)));
    Section section =
        new Section("", List.of(folded, table("files", Place.FILES), new Note("a note")));
    assertThat(section.tables())
        .extracting(text -> text.rows().get(0).get(1).text())
        .containsExactly("both", "files");
    assertThat(page(section.blocks().toArray(Section.Block[]::new)))
        .contains("<td>both</td>", "<td>page</td>", "a note")
        .containsOnlyOnce("<details class=\"unprinted\">")
        .doesNotContain("files");
  }

  @Test
  void aPrintMayLeaveOutConfigurations() throws IOException {
    assertThat(page(new Origin("run", 1, NullNode.getInstance(), false)))
        .contains("<details class=\"unprinted\"><summary><span data-swatch=\"run\">");
    assertThat(page(new Origin("run", 1, NullNode.getInstance(), true)))
        .contains("<details><summary><span data-swatch=\"run\">");
  }

  @Test
  void theScriptKnowsEveryFormatAndMarker() throws IOException {
    try (InputStream script = Objects.requireNonNull(Page.class.getResourceAsStream("report.js"))) {
      assertThat(new String(script.readAllBytes(), StandardCharsets.UTF_8))
          .contains(Stream.of(Format.values()).map(one -> EnumName.of(one) + ": { tick").toList())
          .contains(Stream.of(Palette.Marker.values()).map(EnumName::of).toList());
    }
  }
}
