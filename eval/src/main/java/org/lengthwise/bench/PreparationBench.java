package org.lengthwise.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.bench.RoundRobinTimer.Timed;
import org.lengthwise.bench.RoundRobinTimer.Variant;
import org.lengthwise.config.Unit;
import org.lengthwise.dataprep.prepare.Preparation;
import org.lengthwise.dataprep.prepare.PrepareRequest;
import org.lengthwise.dataprep.prepare.PrepareSettings;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizers;
import org.lengthwise.error.ConfigException;

/**
 * Prepares the same text from several files, each in another format. The first one is the
 * reference.
 *
 * @param timer times the files in turns
 */
record PreparationBench(Sizes sizes, RoundRobinTimer timer) {

  /**
   * The files, which the user names.
   *
   * @param inputs files of the same documents
   * @param tokenizer as {@code prepare} takes it
   * @param threads the number of tokenising threads
   * @param settings the settings of {@code prepare}
   */
  public record Sizes(
      List<String> inputs,
      String tokenizer,
      @Unit("threads") int threads,
      PrepareSettings settings) {
    /** Takes a copy. */
    public Sizes {
      inputs = List.copyOf(inputs);
    }
  }

  /** The time of each file. A file that gives another number of tokens is a disagreement. */
  List<BenchRow> run() throws IOException {
    if (sizes.inputs().isEmpty()) {
      throw new ConfigException(
          "preparation.inputs",
          "files of the same documents",
          "none",
          "add --set preparation.inputs=[FILE.jsonl.zst,FILE.parquet]");
    }
    Path temporary = Files.createTempDirectory("lengthwise-bench-");
    try (Tokenizer tokenizer = Tokenizers.of(sizes.tokenizer())) {
      List<Variant> variants = new ArrayList<>();
      String first = sizes.inputs().get(0);
      for (String input : sizes.inputs()) {
        Variant variant =
            Variant.of(input, () -> prepare(input, temporary.resolve("shards"), tokenizer));
        variants.add(input.equals(first) ? variant : variant.against(first));
      }
      List<Timed> timed = timer.run(variants);
      int numTokens = (int) timed.get(0).result();
      return new BenchRow.Workload(BenchPart.PREPARATION, sizes.tokenizer(), 0, numTokens)
          .rows(timed);
    } finally {
      Files.delete(temporary);
    }
  }

  /** The number of tokens of an input. */
  private double prepare(String input, Path output, Tokenizer tokenizer) {
    PrepareRequest request =
        new PrepareRequest(List.of(input), output.toString(), sizes.settings(), sizes.threads());
    try {
      long tokens = Preparation.run(request, tokenizer).orElseThrow().tokens();
      ArtifactFolder.delete(output);
      return tokens;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
