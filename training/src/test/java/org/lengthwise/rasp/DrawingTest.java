package org.lengthwise.rasp;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;
import org.xml.sax.InputSource;

/** Drawings as XML: which heads, rows and cells they have. */
class DrawingTest {
  private static Document draw(String file, String sOp, String input) throws Exception {
    return parse(Programs.conf(file).sOp(sOp).draw(input));
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static List<Element> elements(Document svg, String tag) {
    NodeList found = svg.getElementsByTagName(tag);
    List<Element> elements = new ArrayList<>();
    for (int i = 0; i < found.getLength(); i++) {
      elements.add((Element) found.item(i));
    }
    return elements;
  }

  private static List<String> texts(Document svg, String style) {
    return elements(svg, "text").stream()
        .filter(text -> text.getAttribute("class").equals(style))
        .map(Element::getTextContent)
        .toList();
  }

  /** The texts of a row of values: its label, then its values. */
  private static List<String> row(Document svg, String name) {
    List<String> values = texts(svg, "value");
    int at = 0;
    while (!values.get(at).matches("\\d+ (X |FF|in) " + name)) {
      at++;
    }
    return values.subList(at + 1, at + 7);
  }

  @Test
  void reverseHasTwoLayersOfOneHead() throws Exception {
    Document svg = draw("reverse", "reverse", "abcde");

    assertThat(texts(svg, "title"))
        .containsExactly(
            "reverse(\"abcde\"): heads by layer [1, 1]",
            "input",
            "layer 1",
            "head 1: select_all",
            "layer 2",
            "head 1: flip");
    assertThat(texts(svg, "value")).endsWith("e", "d", "c", "b", "a");
  }

  @Test
  void histHasTwoHeadsAndTheRowsOfItsWidth() throws Exception {
    Document svg = draw("hist", "hist", "aabbaa");

    assertThat(texts(svg, "title")).contains("head 1: or0", "head 2: and0");
    assertThat(row(svg, "valat0")).containsExactly("1", "1", "0", "0", "1", "1");
    assertThat(row(svg, "except0")).containsExactly("3", "3", "2", "2", "3", "3");
    assertThat(row(svg, "hist")).containsExactly("4", "4", "2", "2", "4", "4");
    assertThat(texts(svg, "faint"))
        .contains("head 2, from (3)", "key tokens (2)", "query tokens (2)");
  }

  @Test
  void aConstantIsNoNumberOfARow() throws Exception {
    Document svg =
        parse(Programs.of("s = aggregate(select(indices, indices, <), 1, 0);").sOp("s").draw("ab"));
    assertThat(texts(svg, "faint")).contains("head 1, from the constant 1");
  }

  @Test
  void aGridFillsTheSelectedCells() throws Exception {
    Document svg =
        parse(
            Programs.of("s = aggregate(select(indices, indices, <), indices);")
                .sOp("s")
                .draw("abc"));

    String selected =
        elements(svg, "path").stream()
            .filter(path -> path.getAttribute("class").equals("on"))
            .map(path -> path.getAttribute("d"))
            .findFirst()
            .orElseThrow();
    // Row 1 selects one key, row 2 the two keys beside each other. A cell is as wide as 1/2.
    assertThat(selected).matches("M\\S+ \\S+h28v19\\.2h-28zM\\S+ \\S+h55\\.9v19\\.2h-55\\.9z");
    assertThat(texts(svg, "value")).endsWith("0", "0", "1/2");
  }

  @Test
  void stepsWithoutANameAreToldApartByTheirText() throws Exception {
    Document svg = draw("dyck-1", "dyck1_ptf", "()");

    assertThat(texts(svg, "value"))
        .contains(
            "3 FF indices + 1",
            "6 X  aggregate(prevs, indicator(tokens == \"(\"))",
            "7 X  aggregate(prevs, indicator(tokens == \")\"))");
  }

  @Test
  void constantsAreShownAsInAProgram() throws Exception {
    Program program =
        Programs.of(
            """
            sel = select(["a", True], tokens, ==);
            known = aggregate(sel, indicator(tokens in ["a", "b"]));
            s = aggregate(sel, {"a": "x"}[tokens], "?") if known else 0;
            """);
    Document svg = parse(program.sOp("s").draw("aa"));

    assertThat(texts(svg, "value").stream().map(text -> text.replaceFirst("^\\d+ ", "")))
        .contains(
            "FF [\"a\", True][indices]",
            "FF {\"a\": \"x\"}[tokens]",
            "FF indicator(tokens in [\"a\", \"b\"])",
            "X  aggregate(sel, {\"a\": \"x\"}[tokens], \"?\")");
  }

  @Test
  void everyInputGivesWellFormedXml() throws Exception {
    Document svg = draw("reverse", "reverse", "<&>\"\n\u0001 😀]");

    assertThat(texts(svg, "value")).contains("<", "&", ">", "␊", "␁", "😀");
  }

  @Test
  void longFractionsHaveThreeDigits() throws Exception {
    Document svg = parse(Programs.of("s = indices / 1234567;").sOp("s").draw("abc"));

    assertThat(texts(svg, "value")).contains("8.10E-7");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(-indices) ^ 2",
        "-(indices ^ 2)",
        "(not (indices == 0)) == True",
        "not ((indices == 0) == True)"
      })
  void prefixOperatorsKeepTheirOperands(String expression) throws Exception {
    String own = "own = select(indices, indices, ==); s = aggregate(own, %s) == 4;";
    SOp sOp = Programs.of(own.formatted(expression)).sOp("s");
    assertThat(texts(parse(sOp.draw("abc")), "value"))
        .contains("3 X  aggregate(own, %s)".formatted(expression));
  }
}
