package org.lengthwise.report.accuracy;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.training.TrainedRun;

/**
 * The model of a run on strings. Runs of one model differ in their seeds, and in settings such as
 * the learning rate.
 *
 * @param key the column of the paper, such as {@code regulargpt-2}, or the name of another model
 */
record StringModel(String key, String heading) {

  static StringModel of(String run, List<TrainedRun> trained) {
    return trained.stream()
        .filter(one -> one.run().equals(run))
        .findFirst()
        .map(one -> of(one.description().path("model")))
        .orElseGet(() -> new StringModel(run, RunName.heading(run)));
  }

  static StringModel of(JsonNode model) {
    String kind = model.path("kind").asText("decoder");
    if (!kind.equals("decoder")) {
      return new StringModel(kind, kind.toUpperCase(Locale.ROOT));
    }
    JsonNode position = model.path("position");
    String scheme = position.path("scheme").asText();
    if (scheme.equals("regulargpt")) {
      return regularGpt(position, model.path("layers").asInt());
    }
    boolean causal = model.path("form").path("causal").asBoolean(true);
    if (scheme.equals("transformer-xl") && !causal) {
      return new StringModel("transformer", "Transformer");
    }
    String form = causal ? "-causal" : "";
    String recurrence = recurrence(model.path("recurrence"));
    return new StringModel(
        scheme + form + recurrence,
        RunName.heading(scheme) + (causal ? ", causal" : "") + recurrence);
  }

  /** The kind and its settings, such as {@code staircase, chunk 2, passes 2}. */
  private static String recurrence(JsonNode recurrence) {
    String kind = recurrence.path("kind").asText("none");
    if (kind.equals("none")) {
      return "";
    }
    return recurrence.properties().stream()
        .filter(setting -> !setting.getKey().equals("kind"))
        .map(setting -> setting.getKey() + " " + setting.getValue().asText())
        .collect(Collectors.joining(", ", ", " + kind + ", ", ""));
  }

  /** The paper has one block, and a pad. */
  private static StringModel regularGpt(JsonNode position, int layers) {
    int chunk = position.path("chunk").asInt();
    String heading = "RegularGPT C = " + chunk;
    boolean isPadded = position.path("edge").asText().equals("pad");
    if (position.has("depth")) {
      String part =
          ", depth %s%s, K = %s"
              .formatted(
                  position.path("depth"),
                  position.path("share").asBoolean(true) ? "" : ", not shared",
                  layers);
      return new StringModel("regulargpt-" + chunk + part, heading + part);
    }
    if (layers == 1 && isPadded) {
      return new StringModel("regulargpt-" + chunk, heading);
    }
    String other = (layers == 1 ? "" : ", K = " + layers) + (isPadded ? "" : ", no pad");
    return new StringModel("regulargpt-" + chunk + other, heading + other);
  }
}
