package org.lengthwise.report.perplexity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.measure.perplexity.DocumentEnds;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.report.form.TableText;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.FinishedResults;
import org.lengthwise.result.Located;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.Samples;
import org.lengthwise.result.ScoredTargets;
import org.lengthwise.statistics.ContextRule;

class ContextTableTest {
  private static final int COUNT = 200;

  private final Path root;

  ContextTableTest(@TempDir Path root) {
    this.root = root;
  }

  @BeforeEach
  void measure() throws IOException {
    for (long seed = 1; seed <= 2; seed++) {
      Samples.write(root.resolve("far" + seed), "far", seed, Map.of(128, 8.0, 512, 4.0));
      Samples.write(root.resolve("flat" + seed), "flat", seed, Map.of(128, 6.0, 512, 6.0));
    }
  }

  private Optional<TableText> table(@Nullable String run, double margin) throws IOException {
    List<Located<EvaluationResult>> found =
        FinishedResults.under(List.of(root)).of(ResultFile.EVALUATIONS);
    return ContextTable.of(
        Comparison.of(found).tables().get(0),
        IndividualScores.read(found, DocumentEnds.none()),
        new ContextRule(run, margin));
  }

  /** The negative log-likelihood of a target, the mean over two seeds. */
  private static double nll(int length, double perplexity, int target) {
    return IntStream.rangeClosed(1, 2)
        .mapToObj(seed -> Samples.scored(length, perplexity, COUNT, seed))
        .mapToDouble((ScoredTargets scored) -> scored.nll(target))
        .average()
        .orElseThrow();
  }

  @Test
  void targetsThatTheReferencePredictsBetterWithMoreContextAreCountedAlone() throws IOException {
    int[] targets =
        IntStream.range(0, COUNT).filter(i -> nll(128, 8, i) - nll(512, 4, i) > 0.5).toArray();
    assertThat(targets).hasSizeBetween(COUNT / 4, COUNT - 1);
    double far = IntStream.of(targets).mapToDouble(i -> nll(512, 4, i)).average().orElseThrow();
    double flat = IntStream.of(targets).mapToDouble(i -> nll(512, 6, i)).average().orElseThrow();

    String text = MarkdownTable.of(List.of(table(null, 0.5).orElseThrow()));

    assertThat(text)
        .contains("The %s targets".formatted(targets.length))
        .contains("under far, the mean over its seeds, falls by more than 0.5 nats")
        .contains("from length 128 to 512")
        .contains(String.format(Locale.ROOT, "| %.2f | %.2f |", Math.exp(far), Math.exp(flat)));
  }

  @Test
  void withoutSuchTargetsThereIsNoTable() throws IOException {
    assertThat(table("flat", 0.5)).isEmpty();
    assertThat(table(null, 9)).isEmpty();
    assertThat(table("absent", 0.5)).isEmpty();
  }
}
