package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.Sha256;

/** The commands in a JVM whose locale has other digits, separators and lower-case letters. */
class LocaleIT {
  private final Locale locale = Locale.getDefault();
  private final CommandRunner commands = new CommandRunner();

  @TempDir private Path folder;

  @AfterEach
  void restoreTheLocale() {
    Locale.setDefault(locale);
  }

  @Test
  void artifactsAndOutputHaveTheSameBytesInEveryLocale() throws IOException {
    Map<String, String> expected = pipeline(Locale.ROOT);
    assertThat(expected).containsKeys("runs/formula/checkpoints/step-00000006/model.safetensors");
    for (String tag : new String[] {"fa-IR", "tr-TR"}) {
      assertThat(pipeline(Locale.forLanguageTag(tag))).as(tag).isEqualTo(expected);
    }
  }

  /** Everything that is written and printed, by its path. */
  private Map<String, String> pipeline(Locale of) throws IOException {
    Locale.setDefault(of);
    Path work = Files.createDirectory(folder.resolve("work"));
    TinyExperiment tiny = new TinyExperiment(work);
    tiny.train(
        "formula",
        "{scheme: formula, bias: '-p * delta', parameters: {p: {per: head, initial: 1}}}");
    ArtifactFolder.delete(tiny.resolve("runs/formula/checkpoints/step-00000006"));
    Map<String, String> outcome = new TreeMap<>();
    String model = tiny.checkpoint("formula");
    String[][] calls = {
      {
        "train",
        tiny.option("--config", "formula.yaml"),
        tiny.data(),
        tiny.option("--output", "runs/formula"),
        "--resume"
      },
      {
        "evaluate",
        model,
        tiny.data(),
        "--lengths=16,64",
        "--samples=10",
        tiny.option("--output", "results")
      },
      {
        "receptive-field",
        model,
        tiny.data(),
        "--length=32",
        "--samples=3",
        tiny.option("--output", "field")
      },
      {"inspect", tiny.resolve("shards").toString()},
      {"inspect", tiny.resolve("runs/formula").toString()},
      {"report", "--results=" + work, tiny.option("--output", "report")}
    };
    for (String[] call : calls) {
      outcome.merge(call[0], commands.run(call), String::concat);
    }
    try (Stream<Path> files = Files.walk(work)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        outcome.put(work.relativize(file).toString(), content(file));
      }
    }
    Files.move(work, folder.resolve(of.toLanguageTag()));
    return outcome;
  }

  /** The text of the metrics without times, and the checksums of other files. */
  private static String content(Path file) throws IOException {
    return switch (file.getFileName().toString()) {
      case "events.out.tfevents" -> "with times in each record";
      case "metrics.jsonl" -> Files.readString(file).replaceAll("\"\\w+_seconds?\":[^,}]+", "");
      default -> Sha256.of(file);
    };
  }
}
