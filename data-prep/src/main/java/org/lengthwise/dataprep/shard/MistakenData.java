package org.lengthwise.dataprep.shard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.lengthwise.error.ConfigException;

/** A corpus in the place of a shard folder, recognised by the names of its files. */
final class MistakenData {

  /** The depth at which a folder of a corpus has its first data file. */
  private static final int DEPTH = 3;

  private static final int MOST_FILES = 1000;

  /** Data that prepare reads with some options, by the endings of its files. */
  private record Kind(String what, String options, List<String> endings) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind("Parquet", "", List.of(".parquet")),
          new Kind("token ids", " --tokens nanogpt|llm.c|megatron", List.of(".bin")),
          new Kind("JSON lines", "", List.of(".jsonl", ".jsonl.zst", ".jsonl.gz", ".jsonl.xz")),
          new Kind(
              "archives", "", List.of(".tar", ".tar.zst", ".tar.gz", ".tar.xz", ".tgz", ".zip")),
          new Kind("text", "", List.of(".txt", ".txt.xz")));

  private MistakenData() {}

  static void requireNone(String uri, Path path) {
    if (!Files.exists(path)) {
      return;
    }
    for (Kind kind : KINDS) {
      if (holds(path, kind)) {
        throw new ConfigException(
            uri,
            "a folder of token shards",
            (Files.isDirectory(path) ? "a folder of " : "a file of ") + kind.what(),
            "run `prepare --input %s%s --tokenizer gpt2 --output SHARDS` first, and name SHARDS"
                .formatted(uri, kind.options()));
      }
    }
  }

  private static boolean holds(Path path, Kind kind) {
    try (Stream<Path> files = Files.walk(path, DEPTH)) {
      return files
          .limit(MOST_FILES)
          .map(file -> file.toString().toLowerCase(Locale.ROOT))
          .anyMatch(name -> kind.endings().stream().anyMatch(name::endsWith));
    } catch (IOException | UncheckedIOException e) {
      return false; // nothing is known of a folder that cannot be read
    }
  }
}
