package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The model in one file of plain Java, compared with {@code score}. */
class RegularGptExampleIT {
  private static final Path EXAMPLE = CommandRunner.HOME.resolve("docs/examples/RegularGpt.java");
  private static final double TOLERANCE = 1e-5;

  /** N tokens, of which N - 1 are read. With chunk 4, one more level runs from 6, 18 and 66 on. */
  private static final List<Integer> LENGTHS = List.of(2, 5, 6, 17, 18, 65, 66, 200);

  @TempDir private static Path folder;
  private static TinyExperiment tiny;
  private static Constructor<?> model;
  private static Method nll;

  private final CommandRunner commands = new CommandRunner();

  @BeforeAll
  static void compileTheExample() throws Exception {
    tiny = new TinyExperiment(folder);
    int code =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-d", folder.toString(), EXAMPLE.toString());
    assertThat(code).isZero();
    URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()}, null);
    Class<?> example = loader.loadClass("RegularGpt");
    model = example.getDeclaredConstructor(Path.class);
    model.setAccessible(true);
    nll = example.getDeclaredMethod("nll", int[].class);
    nll.setAccessible(true);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2 | {scheme: regulargpt, chunk: 4}",
        "2 | {scheme: alibi}",
        "3 | {scheme: alibi}",
        "2 | {scheme: t5, scale: sqrt-head-width}",
        "2 | {scheme: t5, scale: one}",
        "2 | {scheme: rope, base: 100}"
      })
  void itsNumbersAreThoseOfScoreAtEveryLength(int heads, String position) throws Exception {
    String name = (heads + position).replaceAll("\\W+", "-");
    Object example = read(export(name, heads, position));
    for (int length : LENGTHS) {
      int[] tokens = new Random(length).ints(length, 0, 257).toArray();
      tiny.write("ids.json", Arrays.toString(tokens));
      assertThat((double[]) nll.invoke(example, (Object) tokens))
          .as("%s, %d tokens", position, length)
          .containsExactly(score(name, "--tokens", "ids.json"), within(TOLERANCE));
    }
  }

  @Test
  void itsCommandReadsTextAsBytes() throws Exception {
    Path exported = export("text", 2, "{scheme: regulargpt, chunk: 4}");
    Path text = tiny.write("some.txt", "thé text");
    double[] expected = score("text", "--text", "some.txt");
    assertThat(run(exported, text)).containsExactly(expected, within(TOLERANCE));
    Path ids = tiny.write("some.json", "[116, 104, 195, 169, 32, 116, 101, 120, 116]\n");
    assertThat(run(exported, ids)).containsExactly(expected, within(TOLERANCE));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{scheme: regulargpt, chunk: 4, edge: pad}",
        "{scheme: alibi}\nrecurrence: {kind: staircase, chunk: 8, passes: 2}"
      })
  void aModelWithoutFormulasInTheFileIsRejected(String position) throws Exception {
    Path exported = export("other" + position.hashCode(), 2, position);
    assertThatThrownBy(() -> read(exported)).hasRootCauseInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void itIsOneFileOfAtMost300LinesWithoutLibraries() throws IOException {
    assertThat(Files.readAllLines(EXAMPLE)).hasSizeLessThanOrEqualTo(300);
    assertThat(Pattern.compile("(?m)^import (?!java\\.)").matcher(Files.readString(EXAMPLE)).find())
        .isFalse();
  }

  /** Trains a model whose weights are far from their first values, and exports it. */
  private Path export(String name, int heads, String position) throws IOException {
    String steps = "\nmodel: {heads: %d, width: %d}\ntraining: {guard: {jump: 100.0}}";
    String rates = "\noptimizer: {learning_rate: 0.02, positional_rate: 20.0}";
    tiny.train(name, position + steps.formatted(heads, 8 * heads) + rates);
    commands.run(
        "export",
        tiny.checkpoint(name),
        "--format=safetensors",
        tiny.option("--output", "exported/" + name));
    return tiny.resolve("exported/" + name);
  }

  private static Object read(Path exported) throws ReflectiveOperationException {
    return model.newInstance(exported.resolve("model.safetensors"));
  }

  private double[] score(String name, String source, String file) throws IOException {
    String json = commands.run("score", tiny.checkpoint(name), tiny.option(source, file), "--json");
    JsonNode nlls = new ObjectMapper().readTree(json).get("nll");
    return StreamSupport.stream(nlls.spliterator(), false)
        .skip(1)
        .mapToDouble(JsonNode::doubleValue)
        .toArray();
  }

  /** The last column of what the program prints, as a newcomer starts it. */
  private static double[] run(Path exported, Path text) throws IOException {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    Process process =
        new ProcessBuilder(java, EXAMPLE.toString(), exported.toString(), text.toString()).start();
    String lines = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return Pattern.compile("(?m)^\\d+\t\\d+\t(.*)$")
        .matcher(lines)
        .results()
        .mapToDouble(line -> Double.parseDouble(line.group(1)))
        .toArray();
  }
}
