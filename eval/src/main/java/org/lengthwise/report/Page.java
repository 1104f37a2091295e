package org.lengthwise.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Palette;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.Section;
import org.lengthwise.result.EvaluationResult;

/**
 * {@code report.html}: the sections of a report as one self-contained page.
 *
 * <p>The page is the template {@code report.html}; the template engine escapes every text. Style,
 * data and scripts are inlined. A content security policy allows only these scripts, by their
 * checksums, and no request. A script draws the charts; without scripts the page shows their
 * pictures.
 */
final class Page {
  private static final String D3 = "/META-INF/resources/webjars/d3/7.9.0/";

  /** The digits of a number in the page: more than a chart can show. */
  private static final MathContext DIGITS = new MathContext(6);

  private Page() {}

  private record Data(List<Palette.Look> looks, List<ReportData.Run> runs, List<Chart> charts) {}

  static String of(
      Looks looks, List<EvaluationResult> results, List<Section> sections, BuildInfo build)
      throws IOException {
    List<ReportData.Run> runs = ReportData.Run.all(looks);
    int numLooks = runs.stream().mapToInt(ReportData.Run::look).max().orElse(0) + 1;
    String style = Palette.css(numLooks) + resource("report.css");
    // The licence of D3 must be in every copy.
    String d3 =
        "/*\n" + resource(D3 + "LICENSE") + "*/\n" + resource(D3 + "dist/d3.min.js").strip();
    String script = resource("report.js");
    Map<String, Object> values = new HashMap<>();
    values.put("policy", policy(style, d3, script));
    values.put("style", style);
    values.put("d3", d3);
    values.put("script", script);
    values.put("data", data(Palette.looks(numLooks), runs, sections));
    values.put("summary", summary(results));
    values.put("sections", PageBlocks.of(sections));
    values.put("build", build);
    values.put("measuredBy", results.stream().map(EvaluationResult::build).distinct().toList());
    values.put(
        "measuredData", results.stream().map(EvaluationResult::dataSha256).distinct().toList());
    values.put("prose", (Mustache.Lambda) (text, out) -> out.write(prose(text.execute())));
    String blocks = resource("blocks.html");
    return Mustache.compiler()
        .emptyStringIsFalse(true)
        .withLoader(name -> new StringReader(blocks))
        .compile(resource("report.html"))
        .execute(values);
  }

  /** Sets the subscripts of the legend in escaped text. */
  private static String prose(String escaped) {
    return escaped
        .replace("T_ex", "<i>T</i><sub>ex</sub>")
        .replace("T_tr", "<i>T</i><sub>tr</sub>");
  }

  private static String data(
      List<Palette.Look> looks, List<ReportData.Run> runs, List<Section> sections)
      throws JsonProcessingException {
    ObjectMapper mapper =
        ConfigLoader.strictMapper()
            .copy()
            .registerModule(new SimpleModule().addSerializer(Double.class, new ShortNumber()));
    Data data = new Data(looks, runs, sections.stream().flatMap(Section::charts).toList());
    // No character of the data opens a tag.
    return mapper.writeValueAsString(data).replace("<", "\\u003c");
  }

  private static final class ShortNumber extends StdSerializer<Double> {
    private static final long serialVersionUID = 1;

    ShortNumber() {
      super(Double.class);
    }

    @Override
    public void serialize(Double value, JsonGenerator json, SerializerProvider provider)
        throws IOException {
      json.writeNumber(
          Double.isFinite(value) ? new BigDecimal(value).round(DIGITS).doubleValue() : value);
    }
  }

  private static String summary(List<EvaluationResult> results) {
    if (results.isEmpty()) {
      return "Measurements of language models, without further training.";
    }
    List<Integer> lengths =
        results.stream().map(EvaluationResult::length).distinct().sorted().toList();
    long numRuns =
        results.stream()
            .map(EvaluationResult::run)
            .filter(run -> !RunName.isBaseline(run))
            .distinct()
            .count();
    String trained =
        results.stream()
            .map(result -> result.subject().trainLength())
            .distinct()
            .sorted()
            .map(Numbers::count)
            .collect(Collectors.joining(" or "));
    return "%s %s of language models, trained on sequences of %s tokens and measured on %s tokens, without further training."
        .formatted(
            numRuns,
            numRuns == 1 ? "kind" : "kinds",
            trained,
            Numbers.range(lengths).replace("–", " to "));
  }

  /** Nothing is loaded. Attributes may hold style, because the pictures have such attributes. */
  private static String policy(String style, String... scripts) {
    StringBuilder allowed = new StringBuilder();
    for (String script : scripts) {
      allowed.append(" '").append(digest(script)).append('\'');
    }
    return "default-src 'none'; script-src%s; style-src-elem '%s'; style-src-attr 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        .formatted(allowed, digest(style));
  }

  private static String digest(String inlined) {
    MessageDigest sha256 = Sha256.newDigest();
    byte[] digest = sha256.digest(inlined.getBytes(StandardCharsets.UTF_8));
    return "sha256-" + Base64.getEncoder().encodeToString(digest);
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = Page.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the class path lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
