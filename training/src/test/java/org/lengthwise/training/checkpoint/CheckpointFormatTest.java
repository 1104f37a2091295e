package org.lengthwise.training.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.lengthwise.positional.FormulaParameter.Per.HEAD;
import static org.lengthwise.positional.FormulaParameter.Per.LAYER;
import static org.lengthwise.positional.FormulaParameter.Per.SHARED;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ParameterLayout;
import org.lengthwise.positional.Formula;
import org.lengthwise.positional.Formulas;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Schemes;

/** Compares the specification of the format with the files that the code writes. */
class CheckpointFormatTest {
  private static final Path SPECIFICATION =
      Path.of("src/main/java/org/lengthwise/training/checkpoint/package-info.java");

  private static final int LAYERS = 2;
  private static final int WIDTH = 12;
  private static final int HEADS = 3;
  private static final int VOCABULARY = 13;

  private static final Path SCHEMES = Path.of("../docs/reference/schemes.md");

  /** The section of a scheme: its name, and its text with a list of settings, tensors, paper. */
  private static final Pattern SCHEME =
      Pattern.compile("(?ms)^### `([a-z0-9-]+)`$(.*?)(?=^##|\\z)");

  /** An item of that list with a table below it, to the next one or the end of the list. */
  private static final Pattern ITEM =
      Pattern.compile("(?ms)^- (Settings|Tensors): (.*?)(?=^- |^$(?!\\n\\|)|\\z)");

  private static final Pattern SETTING = Pattern.compile("`(\\w+)`");
  private static final Pattern TENSOR =
      Pattern.compile("(?:`|\\{@code )(transformer\\.[^`\\s]+)(?:`|}) \\[([^\\]]*)]");
  private static final Pattern CONDITION = Pattern.compile("with `(\\w+): ([a-z0-9-]+)`");
  private static final Pattern SIZE = Pattern.compile("(\\d*)(\\w*)");

  /** Settings of which a checkpoint has those that were stated. */
  private static final Set<String> OPTIONAL =
      Set.of("visible", "window", "chunk", "base", "depth", "share");

  static List<PositionalScheme> schemes() {
    return Stream.concat(
            Schemes.trainable().stream(), Stream.of(new RegularGpt(3, RegularGpt.Edge.PAD)))
        .toList();
  }

  /** A tensor and its shape, as a checkpoint has them. */
  private record Tensor(String name, List<Integer> shape) {}

  @ParameterizedTest
  @MethodSource("schemes")
  void settingsAndTensorsOfEverySchemeMatchTheSpecification(PositionalScheme scheme)
      throws IOException {
    JsonNode position = json(scheme);
    Set<String> settings = new HashSet<>(List.of("scheme"));
    SETTING
        .matcher(specified(position, "Settings"))
        .results()
        .forEach(setting -> settings.add(setting.group(1)));
    settings.removeIf(key -> OPTIONAL.contains(key) && !position.has(key));
    Set<String> written = new HashSet<>();
    position.fieldNames().forEachRemaining(written::add);
    boolean isTempered = written.remove("temperature");
    assertThat(written).isEqualTo(settings);
    assumeThat(List.of(position.get("scheme").asText(), position.at("/of/scheme").asText()))
        .as("the parameters of a formula name its tensors")
        .doesNotContain("formula");

    List<Tensor> tensors = new ArrayList<>(own(position));
    if (isTempered && position.path("temperature").path("name").asText().equals("ssmax")) {
      tensors.addAll(tensors("`transformer.h.{k}.attn.s` [H]", position));
    }
    if (position.has("of")) {
      tensors.addAll(own(position.get("of")));
    }
    for (int i = 0; i < position.path("repeat").size(); i++) {
      tensors.addAll(ofEntry(i, position.get("repeat")));
    }
    Set<String> named = tensors.stream().map(Tensor::name).collect(Collectors.toSet());
    tensors(common(), position).stream()
        .filter(tensor -> !named.contains(tensor.name())) // a scheme may change c_attn
        .forEach(tensors::add);
    assertThat(tensors)
        .containsExactlyInAnyOrderElementsOf(
            ParameterLayout.of(model(scheme)).stream()
                .map(spec -> new Tensor(spec.name(), spec.shape()))
                .toList());
  }

  @Test
  void tensorsOfAFormulaHaveTheNamesAndAxesOfItsParameters() {
    Formula formula =
        Formulas.of(
            "p + at(t, 0) + at(s, 1) + c",
            Map.of(
                "p", Formulas.number(HEAD),
                "t", Formulas.table(5, SHARED),
                "s", Formulas.table(6, LAYER, HEAD),
                "c", Formulas.number(LAYER)));

    assertThat(ParameterLayout.of(model(formula)))
        .map(spec -> new Tensor(spec.name(), spec.shape()))
        .contains(
            new Tensor("transformer.position.p", List.of(HEADS)),
            new Tensor("transformer.position.t", List.of(5)),
            new Tensor("transformer.h.0.attn.s", List.of(HEADS, 6)),
            new Tensor("transformer.h.1.attn.s", List.of(HEADS, 6)),
            new Tensor("transformer.h.0.attn.c", List.of(1)),
            new Tensor("transformer.h.1.attn.c", List.of(1)));
  }

  /** The tensors of an entry of a list without equal entries. */
  private static List<Tensor> ofEntry(int entry, JsonNode list) throws IOException {
    Pattern ofOtherBlock =
        Pattern.compile(
            IntStream.range(0, LAYERS)
                .filter(k -> k % list.size() != entry)
                .mapToObj(Integer::toString)
                .collect(Collectors.joining("|", "transformer\\.h\\.(", ")\\..*")));
    String shared = "transformer.position.";
    return own(list.get(entry)).stream()
        .filter(tensor -> !ofOtherBlock.matcher(tensor.name()).matches())
        .map(it -> new Tensor(it.name().replace(shared, shared + entry + "."), it.shape()))
        .toList();
  }

  /** The tensors of a scheme itself: parts of a sentence, or rows of a table without the prefix. */
  private static List<Tensor> own(JsonNode position) throws IOException {
    String specified = specified(position, "Tensors").replace("`.", "`transformer.h.{k}.attn.");
    return Stream.of(specified.split(";|\\| \\|", -1))
        .filter(part -> holds(part, position))
        .flatMap(part -> tensors(part, position).stream())
        .toList();
  }

  @Test
  void specificationHasNoOtherScheme() throws IOException {
    assertThat(SCHEME.matcher(Files.readString(SCHEMES)).results().map(match -> match.group(1)))
        .doesNotHaveDuplicates()
        .containsExactlyInAnyOrderElementsOf(
            Schemes.trainable().stream()
                .map(scheme -> json(scheme).get("scheme").asText())
                .distinct()
                .toList());
  }

  /** Whether a part of the list of tensors has no condition, or one that the settings meet. */
  private static boolean holds(String part, JsonNode position) {
    return CONDITION
        .matcher(part)
        .results()
        .allMatch(found -> position.path(found.group(1)).asText().equals(found.group(2)));
  }

  private static JsonNode json(PositionalScheme scheme) {
    JsonNode model = ConfigLoader.strictMapper().valueToTree(model(scheme));
    return model.get("position");
  }

  private static ModelConfig model(PositionalScheme scheme) {
    return new ModelConfig(LAYERS, WIDTH, HEADS, VOCABULARY, scheme);
  }

  /** The tensors of every model, from the javadoc of the format. */
  private static String common() throws IOException {
    return Files.readString(SPECIFICATION).replaceAll("\\s+\\*?\\s*", " ");
  }

  /** What the section of a scheme lists as its settings or tensors; empty if it has none. */
  private static String specified(JsonNode position, String item) throws IOException {
    String scheme = position.get("scheme").asText();
    String section =
        SCHEME
            .matcher(Files.readString(SCHEMES))
            .results()
            .filter(match -> match.group(1).equals(scheme))
            .map(match -> match.group(2))
            .findFirst()
            .orElseThrow(() -> new AssertionError("not specified: " + scheme));
    return ITEM.matcher(section)
        .results()
        .filter(match -> match.group(1).equals(item))
        .map(match -> match.group(2).replaceAll("\\s+", " "))
        .collect(Collectors.joining(" "));
  }

  /** The tensors that a text names, for a model of two blocks. */
  private static List<Tensor> tensors(String text, JsonNode position) {
    return TENSOR
        .matcher(text)
        .results()
        .flatMap(
            match -> {
              List<Integer> shape =
                  Stream.of(match.group(2).split(", ", -1))
                      .map(size -> size(size, position))
                      .toList();
              return IntStream.range(0, LAYERS)
                  .mapToObj(k -> match.group(1).replace("{k}", Integer.toString(k)))
                  .distinct()
                  .map(name -> new Tensor(name, shape));
            })
        .toList();
  }

  /** A number, a letter of the model, a setting, or a number of times one of these. */
  private static int size(String size, JsonNode position) {
    return Stream.of(size.split(" \\+ ", -1)).mapToInt(part -> term(part, position)).sum();
  }

  private static int term(String size, JsonNode position) {
    Map<String, Integer> letters = new HashMap<>(Map.of("", 1, "d", WIDTH, "H", HEADS));
    letters.put("D", WIDTH / HEADS);
    letters.put("V", VOCABULARY);
    position.properties().forEach(e -> letters.put(e.getKey(), e.getValue().asInt()));
    MatchResult parts = SIZE.matcher(size).results().findFirst().orElseThrow();
    int times = parts.group(1).isEmpty() ? 1 : Integer.parseInt(parts.group(1));
    return times * Objects.requireNonNull(letters.get(parts.group(2)), size);
  }
}
