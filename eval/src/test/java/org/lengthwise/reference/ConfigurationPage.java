package org.lengthwise.reference;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonTypeName;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.PropertyNamingStrategies.SnakeCaseStrategy;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.automaton.PaperTask;
import org.lengthwise.bench.BenchConfig;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.EnumName;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.mapreduce.MapReduceSettings;
import org.lengthwise.dataprep.prepare.PrepareSettings;
import org.lengthwise.dataprep.source.TokenFiles;
import org.lengthwise.experiment.Experiment;
import org.lengthwise.experiment.ExperimentConfig;
import org.lengthwise.generate.GenerationConfig;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.MeasurementConfig;
import org.lengthwise.measure.accuracy.Accuracy;
import org.lengthwise.measure.answers.Answers;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.measure.perplexity.ProtocolConfig;
import org.lengthwise.measure.probe.Probe;
import org.lengthwise.measure.recall.RecallTests;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.LayerWindow;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;
import org.lengthwise.positional.Temperature;
import org.lengthwise.recall.FileTask;
import org.lengthwise.recall.RecallTask;
import org.lengthwise.report.ReportConfig;
import org.lengthwise.training.config.Bos;
import org.lengthwise.training.config.RegularConfig;
import org.lengthwise.training.config.StartConfig;
import org.lengthwise.training.config.TaskConfig;
import org.lengthwise.training.config.TrainingConfig;

/** The page of all YAML keys: a table for each file, and one for each sealed family. */
final class ConfigurationPage {

  /** A family of records, one of which a key chooses. */
  private record Family(String heading, String key, List<Class<?>> choices) {}

  /** The headings of the families, in the order in which keys name them. */
  private static final List<String> HEADINGS =
      List.of(
          "Positional schemes",
          "Recurrence",
          "Recall tasks",
          "Measurements",
          "Protocols",
          "RoPE scalings");

  /** Published models have these, no file in conf/. */
  private static final List<RopeScaling> SCALINGS =
      List.of(
          new RopeScaling.Linear(4),
          new RopeScaling.Ntk(4),
          new RopeScaling.Dynamic(2, 32),
          new RopeScaling.Yarn(4, 32),
          new RopeScaling.Llama3(8, 1, 4, 64),
          new RopeScaling.LongRope(List.of(1.0), List.of(2.0), 32, 1));

  private static final Map<String, String> PLURALS =
      Map.of(
          "mapping", "mappings",
          "number", "numbers",
          "text", "texts",
          "whole number", "whole numbers",
          "list of whole numbers", "lists of whole numbers");

  /** A record with more keys than this is described once. */
  private static final int FEW = 4;

  private final Path conf;
  private final Comments comments;
  private final Class<?> experiment;
  private final Ranges ranges = new Ranges();
  private final Map<List<Class<?>>, Family> families = new LinkedHashMap<>();
  private final Map<Class<?>, String> described = new HashMap<>();
  private final Map<Class<?>, Set<String>> names = new LinkedHashMap<>();
  private final StringBuilder page = new StringBuilder();
  private String heading = "";

  private ConfigurationPage(Path conf, Comments comments, Class<?> experiment) {
    this.conf = conf;
    this.comments = comments;
    this.experiment = experiment;
  }

  /** Writes the page of a repository. */
  static ConfigurationPage of(Path root) throws IOException {
    return of(root, ExperimentConfig.class);
  }

  /**
   * Writes the page of a repository.
   *
   * @param experiment the section of experiments, which lists the kinds of measurements
   * @param examples records of keys that no file in conf/ has
   */
  static ConfigurationPage of(Path root, Class<?> experiment, Record... examples)
      throws IOException {
    List<Path> sources =
        Stream.of(
                "data-prep/src/main",
                "positional/src/main",
                "training/src/main",
                "eval/src/main",
                "eval/src/test")
            .map(folder -> root.resolve(folder).resolve("java"))
            .toList();
    ConfigurationPage page =
        new ConfigurationPage(root.resolve("conf"), new Comments(sources), experiment);
    page.learn();
    Stream.of(examples).forEach(page.ranges::learn);
    page.write();
    return page;
  }

  String text() {
    return page.toString();
  }

  /** What the page says on ranges. */
  Ranges ranges() {
    return ranges;
  }

  private void learn() throws IOException {
    ranges.learn(PaperTask.named("parity_check").automaton());
    ranges.learn(new TokenFiles(TokenFiles.Format.NANOGPT, 50_256, 50_256, 50_257, null));
    for (RopeScaling scaling : SCALINGS) {
      ranges.learn(new Rope(10_000, 0.5, scaling, new LayerWindow(16, 0)));
    }
    ranges.learn(
        new StartConfig(
            "runs/rope",
            StartConfig.Choice.NEWEST,
            StartConfig.Moments.RESET,
            PositionScaling.NONE,
            Bos.AUTO,
            512,
            0,
            new StartConfig.Source("rope", 1, 257, 1, 1, 1, null, "0".repeat(64))));
    ranges.learn(new Temperature(Temperature.Name.SSMAX));
    ranges.learn(new FileTask("strings", List.of(8)));
    for (Path file : files("task")) {
      if (!file.endsWith("base.yaml")) {
        ranges.learn(load(file).bind(TrainingConfig.class));
      }
    }
    for (Path file : files("train")) {
      ranges.learn(load(file).bind(TrainingConfig.class));
    }
    for (Path file : files("protocol")) {
      ranges.learn(load(file).bind(ProtocolConfig.class));
    }
    for (Path file : files("experiments")) {
      ranges.learn(load(file).bind("experiment", ExperimentConfig.class));
      Experiment.load(file, List.of()).runs().values().stream()
          .filter(ExperimentRun::isTrained)
          .forEach(ranges::learn);
    }
  }

  private List<Path> files(String folder) throws IOException {
    try (Stream<Path> files = Files.list(conf.resolve(folder))) {
      return files.sorted().toList();
    }
  }

  private static LayeredConfig load(Path file) {
    return ConfigLoader.load(file, List.of());
  }

  private void write() {
    page.append(
        """
        # Configuration

        Every key of the YAML files: its values, its unit, what its absence means, its value in the default file, and its meaning. \
        Generated by `scripts/reference.sh` from the records that read the files; do not edit.

        A key may be absent only if its table says so; then the column has the value that is used, and null means none. \
        [Names](#names) explains the values that are names. The rules for files (`extends`, `--set`) stand in [the command line](command-line.md#configuration).
        """);
    file(
        "Training",
        "`train --config`, and each column of an experiment.",
        "base.yaml",
        TrainingConfig.class);
    section(
        "Experiments",
        "`run --config`: the section `experiment`, beside the keys of [training](#training) that its columns share.");
    table("experiment", experiment, null);
    file(
        "Evaluation",
        "`evaluate`, `receptive-field`, `states` and `score --config`.",
        "evaluate.yaml",
        EvaluationConfig.class);
    file(
        "Accuracy",
        "`evaluate --config`, for classifiers of strings.",
        "accuracy.yaml",
        Accuracy.class);
    file("Recall", "`evaluate --config`, for recall tasks.", "recall.yaml", RecallTests.class);
    file("Passkey", "`evaluate --protocol passkey --config`.", "passkey.yaml", Probe.class);
    file("Answers", "`evaluate --protocol answers --config`.", "answers.yaml", Answers.class);
    file("Report", "`report` and `run --report-config`.", "report.yaml", ReportConfig.class);
    file("Preparation", "`prepare --config`.", "prepare.yaml", PrepareSettings.class);
    file("MapReduce", "`prepare --engine mapreduce`.", "mapreduce.yaml", MapReduceSettings.class);
    file("Generation", "`generate --config`.", "generate.yaml", GenerationConfig.class);
    file("Bench", "`bench --config`.", "bench.yaml", BenchConfig.class);
    for (int i = 0; i < families.size(); i++) { // a family may have a key with another family
      write(List.copyOf(families.values()).get(i));
    }
    page.append("\n## Names\n\n| key | value | meaning |\n|---|---|---|\n");
    names.forEach(
        (type, keys) -> {
          for (Object constant : Objects.requireNonNull(type.getEnumConstants())) {
            Enum<?> name = (Enum<?>) constant;
            page.append(
                "| `%s` | `%s` | %s |\n"
                    .formatted(
                        String.join("`, `", keys), EnumName.of(name), comments.sentence(name)));
          }
        });
  }

  private void section(String title, String purpose) {
    heading = title;
    page.append("\n## %s\n%s\n".formatted(title, purpose));
  }

  private void file(String heading, String purpose, String name, Class<?> type) {
    section(heading, purpose);
    LayeredConfig defaults = load(conf.resolve(name));
    if (MeasurementConfig.class.isAssignableFrom(type)) { // its lengths are an option
      ranges.learn(defaults.with(List.of("lengths=[64]")).bind(type));
    } else if (type != TrainingConfig.class) {
      ranges.learn(defaults.bind(type));
    }
    table("", type, new Defaults("conf/" + name, defaults.tree()));
  }

  /** The values of a default file. */
  private record Defaults(String name, JsonNode values) {
    String of(String path) {
      JsonNode value = values.at("/" + path.replace('.', '/'));
      if (value.isTextual()) {
        return "`" + value.textValue() + "`";
      }
      return value.isValueNode() || (value.isArray() && value.size() <= 3) ? "`" + value + "`" : "";
    }
  }

  private void table(String prefix, Class<?> type, @Nullable Defaults defaults) {
    page.append(
        defaults == null
            ? "\n| key | values | unit | if absent | meaning |\n|---|---|---|---|---|\n"
            : "\n| key | values | unit | if absent | in %s | meaning |\n|---|---|---|---|---|---|\n"
                .formatted(defaults.name()));
    rows(prefix, type, defaults);
  }

  private void rows(String prefix, Class<?> type, @Nullable Defaults defaults) {
    RecordComponent[] components = type.getRecordComponents();
    Parameter[] parameters = type.getDeclaredConstructors()[canonical(type)].getParameters();
    for (int i = 0; i < components.length; i++) {
      RecordComponent component = components[i];
      if (component.getAccessor().isAnnotationPresent(JsonUnwrapped.class)) {
        rows(prefix, component.getType(), defaults);
        continue;
      }
      // The other keys of a column are those of a training.
      String key =
          component.getType() == ObjectNode.class && component.getName().equals("keys")
              ? "KEY"
              : named(component);
      String path = prefix.isEmpty() ? key : prefix + "." + key;
      String values = values(component, component.getGenericType());
      row(
          defaults,
          path,
          joined(values, ranges.of(type, component.getName())),
          unit(component),
          absent(parameters[i]),
          comments.component(type, component.getName()));
      nested(path, component, component.getGenericType(), defaults);
    }
  }

  private static String joined(String values, String range) {
    if (range.startsWith("a " + values) || range.startsWith("a finite " + values)) {
      return range.substring(2);
    }
    return values + (range.isEmpty() ? "" : (values.endsWith("number") ? ", " : ": ") + range);
  }

  private static String unit(RecordComponent component) {
    Unit unit = component.getAnnotation(Unit.class);
    return unit == null ? "" : unit.value();
  }

  private void row(
      @Nullable Defaults defaults,
      String path,
      String values,
      String unit,
      String absent,
      String meaning) {
    page.append("| `%s` | %s | %s | %s |".formatted(path, values, unit, absent));
    if (defaults != null) {
      page.append(" %s |".formatted(defaults.of(path)));
    }
    page.append(" %s |\n".formatted(meaning.replace("|", "\\|")));
  }

  /** The rows of a record in a key, in a list, or in a mapping of names. */
  private void nested(
      String path, RecordComponent component, Type type, @Nullable Defaults defaults) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      String below = generic.getRawType() == Map.class ? ".NAME" : "[]";
      nested(path + below, component, arguments[arguments.length - 1], defaults);
    } else if (type == TaskConfig.class) {
      nested(path, component, RegularConfig.class, defaults);
    } else if (type instanceof Class<?> some
        && some.isRecord()
        && !isValue(some)
        && !isFamily(component, some)
        && described.putIfAbsent(
                some, "`%s` in [%s](#%s)".formatted(path, heading, anchor(heading)))
            == null) {
      rows(path, some, defaults);
      if (some.getRecordComponents().length <= FEW) {
        described.remove(some);
      }
    }
  }

  private static boolean isFamily(RecordComponent component, Class<?> type) {
    return type.isSealed() || component.getAccessor().isAnnotationPresent(JsonSubTypes.class);
  }

  private static boolean isValue(Class<?> type) {
    return valueOf(type).isPresent();
  }

  private static boolean isText(Class<?> type) {
    return valueOf(type).filter(method -> method.getReturnType() == String.class).isPresent();
  }

  private static Optional<Method> valueOf(Class<?> type) {
    return Stream.of(type.getDeclaredMethods())
        .filter(method -> method.isAnnotationPresent(JsonValue.class))
        .findFirst();
  }

  private String values(RecordComponent component, Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] arguments = generic.getActualTypeArguments();
      String inner = values(component, arguments[arguments.length - 1]);
      return generic.getRawType() == Map.class
          ? "mapping of names to " + PLURALS.getOrDefault(inner, inner)
          : "list of " + PLURALS.getOrDefault(inner, inner);
    }
    Class<?> some = (Class<?>) type;
    if (some == TaskConfig.class) {
      String recall = family(component, RecallTask.class);
      return "the keys below, or the keys of one of the [%s](#%s)"
          .formatted(recall, anchor(recall));
    } else if (isFamily(component, some)) {
      return "[%s](#%s)".formatted(family(component, some), anchor(family(component, some)));
    } else if (some.isEnum()) {
      names.computeIfAbsent(some, any -> new TreeSet<>()).add(snake(component.getName()));
      return Arrays.stream(some.getEnumConstants())
          .map(constant -> "`" + EnumName.of((Enum<?>) constant) + "`")
          .collect(Collectors.joining(", "));
    } else if (some == boolean.class || some == Boolean.class) {
      return "`true`, `false`";
    } else if (Set.of(int.class, long.class, Integer.class, Long.class).contains(some)) {
      return "whole number";
    } else if (some == double.class || some == Double.class) {
      return "number";
    } else if (some == String.class) {
      return "text";
    }
    if (isValue(some)) {
      return isText(some) ? "text" : comments.sentence(some);
    }
    String same = described.get(some);
    return same == null ? "mapping" : "the keys of " + same;
  }

  private String family(RecordComponent component, Class<?> base) {
    JsonSubTypes listed = component.getAccessor().getAnnotation(JsonSubTypes.class);
    JsonTypeInfo info =
        (listed == null ? base : component.getAccessor()).getAnnotation(JsonTypeInfo.class);
    List<Class<?>> choices =
        listed == null
            ? choices(base).toList()
            : Arrays.stream(listed.value()).<Class<?>>map(JsonSubTypes.Type::value).toList();
    return families
        .computeIfAbsent(
            choices, all -> new Family(HEADINGS.get(families.size()), info.property(), all))
        .heading();
  }

  private static Stream<Class<?>> choices(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(ConfigurationPage::choices)
        : type.isAnnotationPresent(JsonTypeName.class) ? Stream.of(type) : Stream.empty();
  }

  private void write(Family family) {
    page.append("\n## %s\n".formatted(family.heading()));
    page.append("\n| key | values | unit | if absent | meaning |\n|---|---|---|---|---|\n");
    Map<String, Class<?>> named = new TreeMap<>();
    family
        .choices()
        .forEach(type -> named.put(type.getAnnotation(JsonTypeName.class).value(), type));
    named.forEach(
        (name, type) -> {
          row(null, family.key() + ": " + name, "", "", "", comments.sentence(type));
          rows("", type, null);
        });
    if (named.containsValue(Alibi.class)) {
      row(
          null,
          "temperature",
          "mapping",
          "",
          "",
          "Any scheme may have it. " + comments.sentence(Temperature.class));
      rows("temperature", Temperature.class, null);
    }
  }

  private static String absent(Parameter parameter) {
    AbsentMeans absent = parameter.getAnnotation(AbsentMeans.class);
    return absent == null ? "" : "`" + absent.value().replaceFirst("^\"(.*)\"$", "$1") + "`";
  }

  private static int canonical(Class<?> type) {
    Class<?>[] types =
        Arrays.stream(type.getRecordComponents())
            .map(RecordComponent::getType)
            .toArray(Class<?>[]::new);
    for (int i = 0; i < type.getDeclaredConstructors().length; i++) {
      if (Arrays.equals(type.getDeclaredConstructors()[i].getParameterTypes(), types)) {
        return i;
      }
    }
    throw new AssertionError(type + " has no canonical constructor");
  }

  private static String named(RecordComponent component) {
    JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
    return named == null ? snake(component.getName()) : named.value();
  }

  private static String snake(String name) {
    return SnakeCaseStrategy.INSTANCE.translate(name);
  }

  private static String anchor(String heading) {
    return heading.toLowerCase(Locale.ROOT).replace("`", "").replace(' ', '-');
  }
}
