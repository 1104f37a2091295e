package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lengthwise.dataprep.source.Packed.entries;
import static org.lengthwise.dataprep.source.Packed.tar;
import static org.lengthwise.dataprep.source.Packed.utf8;
import static org.lengthwise.dataprep.source.Packed.zstd;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.shard.ShardLimits;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** Preparations that fail and are started again. */
class ResumedPreparationIT {

  private static final int NUM_RECORDS = 240;

  /** Documents between two resume points. */
  private static final int PAUSE = 40;

  private final Path folder;
  private final long seed = Long.getLong("lengthwise.test.seed", 23);
  private final Random random = new Random(seed);

  ResumedPreparationIT(@TempDir Path folder) {
    this.folder = folder;
  }

  /** Counts down the texts that are encoded before one fails. */
  private record Countdown(AtomicInteger left) {

    static Countdown of(int texts) {
      return new Countdown(new AtomicInteger(texts));
    }

    Tokenizer tokenizer() {
      return new WatchedTokenizer(
          text -> {
            if (left.getAndDecrement() == 0) {
              throw new IllegalStateException("pulled the plug");
            }
          });
    }
  }

  /** Damage to a file between two attempts. */
  private enum Damage {
    CUT,
    DELETED,
    FLIPPED
  }

  @BeforeEach
  void writeTheCorpus() throws IOException {
    Files.createDirectory(folder.resolve("in"));
    byte[] first = utf8(records());
    byte[] second = utf8(records());
    Map<String, byte[]> members =
        entries("a.jsonl.zst", zstd(first), "b.png", "x", "c.txt", "a text", "d.jsonl", second);
    Files.write(folder.resolve("in/a.tar"), tar(members));
    Files.write(folder.resolve("in/b.jsonl"), utf8(records()));
  }

  private String records() {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < NUM_RECORDS / 3; i++) {
      String text = "word ".repeat(random.nextInt(60)) + random.nextInt(100);
      lines.append(i % 20 == 7 ? "broken\n" : "{\"text\": \"" + text + "\"}\n");
    }
    return lines.toString();
  }

  @ParameterizedTest
  @ValueSource(strings = {"NONE", "EXACT"})
  void anyNumberOfFailuresGivesTheSameBytes(Deduplication dedup) throws IOException {
    run("whole", dedup, Integer.MAX_VALUE);
    int failures = 0;
    while (!Files.exists(folder.resolve("out"))) {
      int texts = PAUSE + 10 + random.nextInt(2 * PAUSE);
      try {
        run("out", dedup, texts);
      } catch (IllegalStateException e) {
        failures++;
        assertThat(folder.resolve(".out.partial/notes/progress.json")).exists();
      }
    }
    assertThat(failures).as("seed %d", seed).isBetween(2, 6);
    assertThat(content("out")).isEqualTo(content("whole"));
    assertThat(folder.toFile().list()).containsExactlyInAnyOrder("in", "out", "whole");
  }

  @Test
  void documentsBeforeTheResumePointAreNotTokenisedAgain() throws IOException {
    failAfter(120);
    Countdown rest = Countdown.of(Integer.MAX_VALUE);
    run("out", settings(Deduplication.NONE), rest);
    assertThat(Integer.MAX_VALUE - rest.left().get()).isLessThan(NUM_RECORDS - 120 + 2 * PAUSE);
  }

  @Test
  void otherSettingsOrInputsDoNotResumeIt() throws IOException {
    failAfter(120);
    assertThatThrownBy(() -> run("out", Deduplication.EXACT, Integer.MAX_VALUE))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(".out.partial: expected an unfinished preparation with the settings")
        .hasMessageContaining("remove this folder to start over");
    Files.writeString(folder.resolve("in/c.txt"), "more");
    assertThatThrownBy(() -> run("out", Deduplication.NONE, Integer.MAX_VALUE))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("this number of input files: 3, found one with 2");
    Files.delete(folder.resolve("in/c.txt"));
    Files.move(folder.resolve("in/a.tar"), folder.resolve("in/a2.tar"));
    assertThatThrownBy(() -> run("out", Deduplication.NONE, Integer.MAX_VALUE))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("in/a.tar");
    assertThat(folder.resolve(".out.partial/notes/progress.json")).exists();
  }

  @Test
  void anUnfinishedOutputOfAnotherReleaseIsRejectedAndKept() throws IOException {
    failAfter(120);
    Path notes = folder.resolve(".out.partial/notes");
    Path identity = notes.resolve("job.json");
    String version = "\"version\":\"%s\"";
    String ours = version.formatted(BuildInfo.current().version());
    Files.writeString(
        identity, Files.readString(identity).replace(ours, version.formatted("0.0.1")));
    Files.writeString(notes.resolve("progress.json"), "{\"form\":\"of another release\"}");
    assertThatThrownBy(() -> run("out", Deduplication.NONE, Integer.MAX_VALUE))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("an unfinished preparation with the build " + BuildInfo.current())
        .hasMessageContaining("one with lengthwise 0.0.1");
    assertThat(notes.resolve("progress.json")).exists();
  }

  @Test
  void aRunWithTooManyRejectsResumesWithAHigherLimit() throws IOException {
    run("whole", Deduplication.NONE, Integer.MAX_VALUE);
    assertThatThrownBy(() -> run("out", settings(Deduplication.NONE, 6), Countdown.of(1000)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("at most 6 malformed records");
    assertThatThrownBy(() -> run("out", settings(Deduplication.NONE, 2), Countdown.of(1000)))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("at most 2 malformed records");
    Countdown rest = Countdown.of(1000);
    run("out", settings(Deduplication.NONE, 100), rest);
    assertThat(rest.left()).hasValueGreaterThan(1000 - NUM_RECORDS + PAUSE);
    assertThat(content("out")).isEqualTo(content("whole"));
  }

  @Test
  void aDamagedInputMayBeReplacedBeforeTheRunResumes() throws IOException {
    Path tar = folder.resolve("in/a.tar");
    byte[] sound = Files.readAllBytes(tar);
    run("whole", Deduplication.NONE, Integer.MAX_VALUE);
    Files.write(tar, Arrays.copyOf(sound, sound.length - 1024));
    assertThatThrownBy(() -> run("out", Deduplication.NONE, Integer.MAX_VALUE))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("a.tar");
    Files.write(tar, sound);
    Countdown rest = Countdown.of(1000);
    run("out", settings(Deduplication.NONE), rest);
    assertThat(rest.left()).hasValueGreaterThan(1000 - NUM_RECORDS + PAUSE);
    assertThat(content("out")).isEqualTo(content("whole"));
  }

  @Test
  void anInputThatChangedBeforeTheResumePointIsRejected() throws IOException {
    failAfter(200);
    byte[] tar = Files.readAllBytes(folder.resolve("in/a.tar"));
    tar[520] ^= 1;
    Files.write(folder.resolve("in/a.tar"), tar);
    assertThatThrownBy(() -> run("out", Deduplication.NONE, Integer.MAX_VALUE))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("a.tar: expected the file that the preparation began with");
    assertThat(folder.resolve("out")).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "content/train-00000.arrow",
        "content/train-00001.arrow",
        "content/rejects.jsonl",
        "notes/progress.json",
        "notes/job.json",
        "notes/inputs.jsonl",
        "notes/keys",
        "notes/pending-"
      })
  void aMissingCutOrAlteredFileMakesTheNextAttemptStartOver(String name) throws IOException {
    run("whole", Deduplication.EXACT, Integer.MAX_VALUE);
    for (Damage damage : Damage.values()) {
      if (damage == Damage.FLIPPED && name.endsWith(".json")) {
        continue; // these files have no checksum, so a flipped bit may go unnoticed
      }
      assertThatThrownBy(() -> run("out", Deduplication.EXACT, 200))
          .hasMessageContaining("tokenising failed");
      for (Path file : filesOfTheAttempt(name)) {
        damage(file, damage);
      }
      run("out", Deduplication.EXACT, Integer.MAX_VALUE);
      assertThat(content("out")).isEqualTo(content("whole"));
      ArtifactFolder.delete(folder.resolve("out"));
    }
  }

  private static void damage(Path file, Damage damage) throws IOException {
    byte[] held = Files.readAllBytes(file);
    if (damage == Damage.DELETED || held.length == 0) {
      Files.delete(file);
    } else if (damage == Damage.CUT) {
      Files.write(file, Arrays.copyOf(held, held.length / 2));
    } else {
      held[held.length / 2] ^= 1;
      Files.write(file, held);
    }
  }

  private List<Path> filesOfTheAttempt(String prefix) throws IOException {
    Path partial = folder.resolve(".out.partial");
    try (Stream<Path> files = Files.walk(partial)) {
      List<Path> found =
          files
              .filter(Files::isRegularFile)
              .filter(file -> partial.relativize(file).toString().startsWith(prefix))
              .toList();
      assertThat(found).isNotEmpty();
      return found;
    }
  }

  private void failAfter(int texts) {
    assertThatThrownBy(() -> run("out", Deduplication.NONE, texts))
        .isInstanceOf(IllegalStateException.class);
  }

  private void run(String output, Deduplication dedup, int texts) throws IOException {
    run(output, settings(dedup), Countdown.of(texts));
  }

  private static PrepareSettings settings(Deduplication dedup) {
    return settings(dedup, 100);
  }

  private static PrepareSettings settings(Deduplication dedup, int rejectLimit) {
    return new PrepareSettings(
        new SplitFractions(0.6, 0.2, 0.2), rejectLimit, 4096, dedup, new ShardLimits(700, 6_000));
  }

  private void run(String output, PrepareSettings settings, Countdown countdown)
      throws IOException {
    AtomicLong documents = new AtomicLong();
    Preparation.run(
        new PrepareRequest(
            List.of(folder.resolve("in").toString()),
            folder.resolve(output).toString(),
            settings,
            2),
        countdown.tokenizer(),
        new ResumePointSchedule(documents::incrementAndGet, PAUSE, PAUSE));
  }

  /** Every file of an output by name. */
  private Map<String, String> content(String output) throws IOException {
    Map<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.list(folder.resolve(output))) {
      for (Path file : (Iterable<Path>) files::iterator) {
        content.put(
            file.getFileName().toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    return content;
  }
}
