package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.cli.PrepareCommand;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.generate.Scorer;
import org.lengthwise.measure.LoadedModel;
import org.lengthwise.measure.MeasuredModel;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.GradientNorms;
import org.lengthwise.result.GradientNormsFile;
import org.lengthwise.result.ModelState;
import org.lengthwise.result.NllFile;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.ScoredTargets;
import org.lengthwise.training.interchange.ModelFolder;
import org.lengthwise.training.safetensors.SafetensorsFile;
import org.lengthwise.training.safetensors.SafetensorsWriter;

/** A model that was trained on documents that begin with BOS, here id 1. */
class BosIT {
  private static final int BOS = 1;

  @TempDir private static Path folder;
  private static TinyExperiment tiny;
  private static List<String> preparation = List.of();

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void writeAModelInHuggingFacesLayout() throws IOException {
    Path tokenizer = Files.createDirectory(folder.resolve("tokenizer"));
    Files.writeString(tokenizer.resolve("tokenizer.json"), letters());
    try (CapturedLog log = new CapturedLog(PrepareCommand.class)) {
      tiny = new TinyExperiment(folder, tokenizer.toString());
      preparation = log.lines();
    }
    tiny.train("trained", "{scheme: learned, positions: 64}");
    new CommandRunner()
        .run(
            "export",
            tiny.checkpoint("trained"),
            "--format=gpt2",
            tiny.option("--output", "exported"));
    Path guest = Files.createDirectories(tiny.resolve("runs/guest"));
    for (String from : List.of("tokenizer/tokenizer.json", "exported/config.json")) {
      Path file = tiny.resolve(from);
      Files.copy(file, guest.resolve(Objects.requireNonNull(file.getFileName()).toString()));
    }
    enlarge(tiny.resolve("exported/model.safetensors"), guest.resolve("model.safetensors"));
  }

  /** Every letter, as a byte-level tokenizer whose template begins with BOS. */
  private static String letters() {
    ObjectNode root = new ObjectMapper().createObjectNode();
    root.putArray("added_tokens").addObject().put("id", 0).put("content", "</s>");
    root.withArray("added_tokens").addObject().put("id", BOS).put("content", "<s>");
    ((ObjectNode) root.at("/added_tokens/1")).put("special", true);
    for (String part : List.of("pre_tokenizer", "decoder")) {
      ObjectNode level = root.putObject(part).put("type", "ByteLevel");
      level.put("add_prefix_space", false).put("trim_offsets", true);
    }
    ObjectNode template = root.putObject("post_processor").put("type", "TemplateProcessing");
    template.putArray("single").addObject().putObject("SpecialToken").put("id", "<s>");
    template.putObject("special_tokens").putObject("<s>").put("id", "<s>").putArray("ids").add(BOS);
    ObjectNode model = root.putObject("model").put("type", "BPE");
    model.putArray("merges");
    ObjectNode vocabulary = model.putObject("vocab").put("</s>", 0).put("<s>", BOS).put("Ġ", 2);
    for (char letter = 'a'; letter <= 'z'; letter++) {
      vocabulary.put(String.valueOf(letter), 3 + letter - 'a');
    }
    return root.toString();
  }

  /** Copies the weights with larger matrices, so that every token matters. */
  private static void enlarge(Path from, Path to) throws IOException {
    try (SafetensorsFile file = SafetensorsFile.open(from)) {
      Map<String, List<Integer>> shapes = new HashMap<>();
      file.tensors().forEach((name, entry) -> shapes.put(name, entry.shape()));
      SafetensorsWriter.write(
          to,
          file.metadata(),
          shapes,
          name -> {
            float[] numbers = file.floats(name);
            int factor = Objects.requireNonNull(shapes.get(name)).size() > 1 ? 10 : 1;
            for (int i = 0; i < numbers.length; i++) {
              numbers[i] *= factor;
            }
            return FloatBuffer.wrap(numbers);
          });
    }
  }

  /** A hand-made pass over given ids. */
  private static float[] nlls(int... ids) throws IOException {
    try (LoadedModel loaded = guest()) {
      return new Scorer(loaded.model(), loaded.manager()).score(ids);
    }
  }

  private static LoadedModel guest() throws IOException {
    return LoadedModel.of(
        MeasuredModel.single(
            ModelFolder.open(tiny.resolve("runs/guest")), List.of(PositionChange.NONE)),
        ModelState.TRAINED,
        Precision.FLOAT32,
        "cpu");
  }

  private static int[] ids(String text) {
    try (Tokenizer tokenizer = Tokenizers.of(tiny.resolve("tokenizer").toString())) {
      return tokenizer.encode(text);
    }
  }

  private static int[] afterBos(int[] ids) {
    return IntStream.concat(IntStream.of(BOS), Arrays.stream(ids)).toArray();
  }

  private String evaluate(String output, String... options) {
    List<String> words = new ArrayList<>(List.of("evaluate", tiny.checkpoint("guest")));
    words.addAll(List.of(tiny.data(), "--lengths=16", "--samples=4"));
    words.addAll(List.of("--protocol=non-overlapping", tiny.option("--output", output)));
    words.addAll(List.of(options));
    return commands.run(words.toArray(String[]::new));
  }

  private static EvaluationResult result(String output) throws IOException {
    return ResultFile.EVALUATIONS.values(tiny.resolve(output)).get(0);
  }

  @Test
  void prepareNamesTheRuleAndWritesNoBos() throws IOException {
    assertThat(preparation)
        .contains(
            "INFO %s: a document begins with BOS, id 1 (tokenizer.json, post_processor); shards never contain BOS"
                .formatted(tiny.resolve("tokenizer/tokenizer.json")));
    try (ShardFolder shards = ShardFolder.open(tiny.resolve("shards").toString())) {
      TokenStream test = shards.tokens(Split.TEST);
      int[] tokens = new int[Math.toIntExact(test.numTokens())];
      test.read(0, tokens, 0, tokens.length);
      assertThat(tokens).doesNotContain(BOS).contains(0);
    }
  }

  @Test
  void aFolderItsImportAndItsExportKnowBos() throws IOException {
    assertThat(commands.run("inspect", tiny.resolve("runs/guest").toString()))
        .contains("documents    begin with BOS, id 1\n");
    commands.run("import", tiny.checkpoint("guest"), tiny.option("--output", "imported"));
    assertThat(commands.run("inspect", tiny.resolve("imported").toString()))
        .contains("documents    begin with BOS, id 1\n");
    for (String format : List.of("gpt2", "safetensors")) {
      String again = "again-" + format;
      commands.run(
          "export",
          tiny.option("--checkpoint", "imported"),
          "--format=" + format,
          tiny.option("--output", again));
      String back = "back-" + format;
      commands.run("import", tiny.option("--checkpoint", again), tiny.option("--output", back));
      assertThat(commands.run("inspect", tiny.resolve(back).toString()))
          .contains("documents    begin with BOS, id 1\n");
    }
    assertThat(tiny.resolve("again-gpt2/tokenizer_config.json"))
        .content()
        .contains("PreTrainedTokenizerFast")
        .doesNotContain("add_bos_token");
    assertThat(tiny.resolve("again-gpt2/config.json")).content().contains("\"bos_token_id\" : 1");
    assertThat(tiny.resolve("exported/config.json")).content().contains("\"bos_token_id\" : 0");
    assertThat(commands.run("inspect", tiny.resolve("exported").toString()))
        .contains("documents    begin without BOS\n");
  }

  /** As OPT's: tokenizer.json alone does not tell it. */
  @Test
  void aRuleOfTokenizerConfigJsonSurvivesAnExport() throws IOException {
    Path source = Files.createDirectories(tiny.resolve("opt-like"));
    for (String file : List.of("config.json", "model.safetensors")) {
      Files.copy(tiny.resolve("runs/guest").resolve(file), source.resolve(file));
    }
    ObjectNode bare = (ObjectNode) new ObjectMapper().readTree(letters());
    bare.remove("post_processor");
    tiny.write("opt-like/tokenizer.json", bare.toString());
    tiny.write(
        "opt-like/tokenizer_config.json", "{\"add_bos_token\": true, \"bos_token\": \"<s>\"}");
    String exported = tiny.option("--output", "opt-export");
    commands.run("export", tiny.option("--checkpoint", "opt-like"), "--format=gpt2", exported);
    assertThat(commands.run("inspect", tiny.resolve("opt-export").toString()))
        .contains("documents    begin with BOS, id 1\n");
  }

  /** Only ids that can occur need rows: those of texts, and any in copies of token files. */
  @Test
  void aTokenizerMayListAPadWithoutARow() throws IOException {
    Path source = Files.createDirectories(tiny.resolve("runs/padded"));
    for (String file : List.of("config.json", "model.safetensors")) {
      Files.copy(tiny.resolve("runs/guest").resolve(file), source.resolve(file));
    }
    ObjectNode padded = (ObjectNode) new ObjectMapper().readTree(letters());
    padded.withArray("added_tokens").addObject().put("id", 29).put("content", "<pad>");
    ((ObjectNode) padded.at("/added_tokens/2")).put("special", true);
    tiny.write("runs/padded/tokenizer.json", padded.toString());
    String tokenizer = tiny.option("--tokenizer", "runs/padded");
    String[] evaluation = {"evaluate", tiny.checkpoint("padded"), "--lengths=16", "--samples=2"};

    String texts = tiny.option("--output", "padded-texts");
    commands.run("prepare", tiny.option("--input", "text"), texts, tokenizer);
    assertThat(
            commands.run(
                with(
                    evaluation,
                    tiny.option("--data", "padded-texts"),
                    tiny.option("--output", "pad"))))
        .contains("padded seed 0, aligned at 16: perplexity");

    Files.write(tiny.resolve("test.bin"), new byte[] {5, 0, 29, 0, 6, 0, 0, 0});
    String copies = tiny.option("--output", "padded-ids");
    commands.run(
        "prepare", tiny.option("--input", "test.bin"), copies, tokenizer, "--tokens=nanogpt");
    assertThat(
            commands.fail(
                2,
                with(
                    evaluation,
                    tiny.option("--data", "padded-ids"),
                    tiny.option("--output", "none"))))
        .contains("--data: expected ids below 29, the rows of ");
  }

  private static String[] with(String[] words, String... more) {
    return Stream.concat(Arrays.stream(words), Arrays.stream(more)).toArray(String[]::new);
  }

  @Test
  void samplesOfAReceptiveFieldBeginWithBos() throws IOException {
    String with = field("fields/auto");
    String without = field("fields/none", "--bos=none");
    assertThat(with).contains("\"bos_token_id\":1");
    assertThat(without).doesNotContain("bos_token_id").isNotEqualTo(with);
    Path file = tiny.resolve("fields/auto/gradients-guest-seed0-step0-8-trained.arrow");
    GradientNorms norms = GradientNormsFile.read(file);
    try (ShardFolder shards = ShardFolder.open(tiny.resolve("shards").toString());
        LoadedModel loaded = guest()) {
      for (int sample = 0; sample < norms.count(); sample++) {
        int[] window = new int[9];
        shards.tokens(Split.TEST).read(norms.target(sample) - 8, window, 0, 9);
        window[0] = BOS;
        float[] expected = gradients(loaded, window);
        for (int position = 0; position < 8; position++) {
          assertThat(norms.norm(sample, position)).isCloseTo(expected[position], within(1e-4f));
        }
      }
    }
    String results = tiny.option("--results", "fields");
    assertThat(commands.fail(3, "report", results, tiny.option("--output", "fields-report")))
        .contains("samples with BOS or samples without BOS for each model, not both");
  }

  private String field(String output, String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("receptive-field", tiny.checkpoint("guest")));
    words.addAll(List.of(tiny.data(), "--length=8", "--samples=3"));
    words.add(tiny.option("--output", output));
    words.addAll(List.of(options));
    commands.run(words.toArray(String[]::new));
    return Files.readString(tiny.resolve(output).resolve("receptive-fields.jsonl"));
  }

  /** The gradient of the last token's loss at the embedding of each token before it. */
  private static float[] gradients(LoadedModel loaded, int... window) {
    try (NDManager pass = loaded.manager().newSubManager()) {
      long[] ids = Arrays.stream(window).asLongStream().toArray();
      NDArray tokens_1T = pass.create(Arrays.copyOf(ids, 8), new Shape(1, 8));
      NDArray target_1 = pass.create(new long[] {ids[8]});
      NDArray gradient_1Td =
          loaded
              .model()
              .gradient(
                  loaded.model().embed(tokens_1T),
                  x_1Td -> loaded.model().withGradient().nll(x_1Td.get(":, -1"), target_1).sum());
      return gradient_1Td.square().sum(new int[] {2}).sqrt().toFloatArray();
    }
  }

  @Test
  void everyWindowReadsBosUnlessItIsSwitchedOff() throws IOException {
    evaluate("auto");
    evaluate("none", "--bos=none");
    assertThat(result("auto").windows().bosTokenId()).isEqualTo(BOS);
    assertThat(tiny.resolve("none/results.jsonl")).content().doesNotContain("bos_token_id");
    assertThat(result("auto").targetsSha256()).isEqualTo(result("none").targetsSha256());
    assertThat(rowsByHand("auto", true)).isPositive();
    assertThat(rowsByHand("none", false)).isPositive();
  }

  /** Compares all rows with a pass over each window; returns their number. */
  private static int rowsByHand(String output, boolean withBos) throws IOException {
    Path file = tiny.resolve(output).resolve(NllFile.nameFor(result(output)));
    ScoredTargets rows = NllFile.read(file).scored();
    try (ShardFolder shards = ShardFolder.open(tiny.resolve("shards").toString())) {
      TokenStream test = shards.tokens(Split.TEST);
      for (int row = 0; row < rows.count(); row += 15) {
        int[] window = new int[16];
        test.read(rows.target(row) - rows.position(row), window, 0, 16);
        window[0] = withBos ? BOS : window[0];
        float[] expected = nlls(window);
        for (int t = 0; t < 15; t++) {
          assertThat(rows.nll(row + t)).isCloseTo(expected[t], within(1e-4));
        }
      }
    }
    return rows.count();
  }

  @Test
  void oneReportNeverMixesResultsWithBosAndWithout() {
    evaluate("mixed/auto");
    evaluate("mixed/none", "--bos=none");
    assertThat(
            commands.fail(
                3, "report", tiny.option("--results", "mixed"), tiny.option("--output", "report")))
        .contains("windows with BOS or windows without BOS for each model, not both");
  }

  @Test
  void anotherChoiceIsAnotherMeasurement() {
    evaluate("finished");
    evaluate("finished"); // the same measurement is finished
    assertThat(
            commands.fail(
                2,
                "evaluate",
                tiny.checkpoint("guest"),
                tiny.data(),
                "--lengths=16",
                "--samples=4",
                "--protocol=non-overlapping",
                "--bos=none",
                tiny.option("--output", "finished")))
        .contains("another finished measurement: config.bos");
    assertThat(
            commands.fail(
                2,
                "evaluate",
                tiny.checkpoint("guest"),
                tiny.data(),
                "--lengths=16",
                "--protocol=answers",
                "--bos=none",
                tiny.option("--output", "answers")))
        .contains("--bos: expected no such option for answers");
  }

  @Test
  void aTextIsScoredAfterBosAndIdsAreReadAsGiven() throws IOException {
    tiny.write("text.txt", "the model");
    String text = tiny.option("--text", "text.txt");
    int[] ids = ids("the model");
    assertThat(scores(text)).isEqualTo(scored(afterBos(ids)));
    assertThat(scores(text, "--bos=none")).isEqualTo(scored(ids)).isNotEqualTo(scores(text));
  }

  @Test
  void trainingWindowsOfASecondStageBeginWithBos() throws IOException {
    assertThat(firstLoss("stage")).isCloseTo(lossByHand(true), within(1e-5));
    assertThat(firstLoss("without", "--set=start.bos=none"))
        .isCloseTo(lossByHand(false), within(1e-5));
    commands.run(
        "export", tiny.checkpoint("without"), "--format=gpt2", tiny.option("--output", "bare"));
    assertThat(commands.run("inspect", tiny.resolve("bare").toString()))
        .contains("documents    begin without BOS\n");
    tiny.write("text.txt", "the model");
    commands.run(
        "export", tiny.checkpoint("stage"), "--format=gpt2", tiny.option("--output", "longer"));
    assertThat(tiny.resolve("longer/tokenizer.json")).content().contains("TemplateProcessing");
    for (String model : List.of("runs/stage", "longer")) {
      String score =
          commands.run(
              "score",
              tiny.option("--checkpoint", model),
              tiny.option("--text", "text.txt"),
              "--json");
      assertThat(new ObjectMapper().readTree(score)).isEqualTo(scored(afterBos(ids("the model"))));
    }
  }

  /** The loss of the validation before the first step of a second stage without steps. */
  private double firstLoss(String run, String... options) throws IOException {
    List<String> words = new ArrayList<>(List.of("train", "--config=" + stage(), tiny.data()));
    words.addAll(List.of(tiny.option("--from", "runs/guest")));
    words.addAll(List.of(tiny.option("--output", "runs/" + run), "--set=name=" + run));
    words.addAll(List.of(options));
    commands.run(words.toArray(String[]::new));
    List<String> metrics = Files.readAllLines(tiny.resolve("runs/" + run + "/metrics.jsonl"));
    return new ObjectMapper().readTree(metrics.get(0)).path("loss").doubleValue();
  }

  private static Path stage() throws IOException {
    return tiny.write(
        "stage.yaml",
        """
        extends: [%s/second-stage.yaml]
        training:
          {length: 15, batch: 2, steps: 0, precision: float32, device: cpu, tensorboard: false,
           validation: {sequences: 2}}
        """
            .formatted(Path.of("../conf").toAbsolutePath().normalize()));
  }

  private static double lossByHand(boolean withBos) throws IOException {
    double sum = 0;
    try (ShardFolder shards = ShardFolder.open(tiny.resolve("shards").toString())) {
      TokenStream split = shards.tokens(Split.VALIDATION);
      long numWindows = (split.numTokens() - 1) / 15;
      for (long first : new long[] {0, numWindows / 2}) {
        int[] window = new int[16];
        split.read(15 * first, window, 0, 16);
        window[0] = withBos ? BOS : window[0];
        for (float nll : nlls(window)) {
          sum += nll;
        }
      }
    }
    return sum / 30;
  }

  private JsonNode scored(int... ids) throws IOException {
    tiny.write("ids.json", Arrays.toString(ids));
    return scores(tiny.option("--tokens", "ids.json"));
  }

  private JsonNode scores(String source, String... options) throws IOException {
    List<String> words =
        new ArrayList<>(List.of("score", tiny.checkpoint("guest"), source, "--json"));
    words.addAll(List.of(options));
    return new ObjectMapper().readTree(commands.run(words.toArray(String[]::new)));
  }

  @Test
  void aPromptIsContinuedAfterBos() throws IOException {
    int numChanged = 0;
    for (String prompt : List.of("", "t", "the m", "long text and")) {
      String with = continued(prompt, "--bos=auto");
      assertThat(with).as(prompt).isEqualTo(likeliest(prompt, afterBos(ids(prompt))));
      int[] without = prompt.isEmpty() ? new int[] {0} : ids(prompt);
      String found = continued(prompt, "--bos=none");
      assertThat(found).as(prompt).isEqualTo(likeliest(prompt, without));
      numChanged += found.equals(with) ? 0 : 1;
    }
    assertThat(numChanged).isPositive();
    int[] ids = ids("long text and");
    int[] latest = Arrays.copyOfRange(ids, ids.length - 5, ids.length);
    assertThat(continued("long text and", "--set=context=6"))
        .as("BOS stays where a text is cut")
        .isEqualTo(likeliest("long text and", afterBos(latest)));
    String[] one = {"generate", tiny.checkpoint("guest"), "--prompt=t", "--set=context=1"};
    assertThat(commands.fail(2, one)).contains("context: expected at least 2, BOS and one token");
  }

  private String continued(String prompt, String option) {
    return commands.run(
        "generate",
        tiny.checkpoint("guest"),
        "--prompt=" + prompt,
        "--tokens=1",
        "--temperature=0",
        option);
  }

  /** The text with its likeliest next token, found by the scores of all tokens. */
  private static String likeliest(String prompt, int[] ids) throws IOException {
    int best = 0;
    float least = Float.POSITIVE_INFINITY;
    try (Tokenizer tokenizer = Tokenizers.of(tiny.resolve("tokenizer").toString())) {
      for (int id = 0; id < tokenizer.vocabularySize(); id++) {
        int[] longer = Arrays.copyOf(ids, ids.length + 1);
        longer[ids.length] = id;
        float nll = nlls(longer)[ids.length - 1];
        best = nll < least ? id : best;
        least = Math.min(nll, least);
      }
      return prompt + tokenizer.decode(new int[] {best}) + System.lineSeparator();
    }
  }
}
