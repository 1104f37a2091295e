package org.lengthwise.eval.report;

import com.fasterxml.jackson.databind.JsonNode;

/** Where one trained model comes from, folded away until asked for. */
final class HtmlRun {
  private HtmlRun() {}

  static String of(TrainedRun run) {
    JsonNode description = run.description();
    return """
    <details><summary><span data-swatch="%s"></span> %s, seed %d</summary>
    <dl><dt>data</dt><dd><code>%s</code></dd>
    <dt>tokenizer</dt><dd>%s</dd>
    <dt>trained by</dt><dd>Lengthwise %s, commit <code>%s</code>%s</dd></dl>
    <pre tabindex="0" aria-label="configuration">%s</pre>
    </details>
    """
        .formatted(
            HtmlText.escape(run.run()),
            HtmlText.escape(RunName.heading(run.run())),
            run.seed(),
            text(description, "/data/sha256"),
            text(description, "/data/tokenizer/name"),
            text(description, "/build/version"),
            text(description, "/build/commit"),
            description.at("/build/dirty").asBoolean() ? " with changes" : "",
            HtmlText.escape(description.path("config").toPrettyString()));
  }

  private static String text(JsonNode description, String path) {
    return HtmlText.escape(description.at(path).asText(Numbers.MISSING));
  }
}
