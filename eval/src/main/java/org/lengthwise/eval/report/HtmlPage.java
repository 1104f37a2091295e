package org.lengthwise.eval.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * The frame of {@code report.html}: style, data and scripts inlined, so that the page needs nothing
 * but itself, and a policy that forbids everything else. The browser runs the two scripts of the
 * page, known by their digests, and asks no network.
 */
final class HtmlPage {
  private static final String D3 = "/META-INF/resources/webjars/d3/7.9.0/";

  private HtmlPage() {}

  /** Puts the parts together. */
  static String of(String summary, String body, String footer, PageData data) throws IOException {
    String style = resource("report.css");
    // The licence asks to stand in every copy.
    String d3 =
        "/*\n" + resource(D3 + "LICENSE") + "*/\n" + resource(D3 + "dist/d3.min.js").strip();
    String script = resource("report.js");
    return resource("report.html")
        .replace("{{policy}}", policy(style, d3, script))
        .replace("{{style}}", style)
        .replace("{{summary}}", summary)
        .replace("{{body}}", body)
        .replace("{{footer}}", footer)
        .replace("{{data}}", data.shortJson())
        .replace("{{d3}}", d3)
        .replace("{{script}}", script);
  }

  /** Attributes may carry style, for static plots do; nothing is loaded from anywhere. */
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
    try (InputStream in = HtmlPage.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the class path lacks " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
