package org.lengthwise.report.perplexity;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.Count;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.measure.perplexity.DocumentEnds;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.result.NllFile;
import org.lengthwise.result.Protocol;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.ScoredTargets;
import org.lengthwise.statistics.PositionBin;
import org.lengthwise.statistics.Scores;

/**
 * The individual negative log-likelihoods behind results, with the seeds of a run joined. They are
 * grouped by run, protocol and length. At the longest length of protocols that score whole windows
 * they are also grouped by position. The last tokens of documents are grouped once more, at all
 * lengths.
 *
 * <p>If one token per window is scored, each target is a unit of resampling. If several tokens are
 * scored, whole windows are resampled, because the tokens of a window are correlated. Windows may
 * overlap or be adjacent, so windows that end in the same stretch of the split form one unit. A
 * stretch has as many tokens as the longest window can score. So the shorter windows that together
 * cover one window of the longest length form one unit too.
 */
final class IndividualScores {
  private static final Logger LOG = LogManager.getLogger(IndividualScores.class);

  private record Key(String run, Protocol protocol, int length) {}

  private record BinKey(Key key, PositionBin bin) {}

  private final Map<Protocol, Integer> longest = new LinkedHashMap<>();
  private final Map<Protocol, Set<Integer>> scoredPerWindow = new LinkedHashMap<>();
  private final Map<Key, List<Scores>> scores = new LinkedHashMap<>();
  private final Map<BinKey, List<Scores>> byPosition = new LinkedHashMap<>();
  private final Map<Key, List<Scores>> atDocumentEnds = new LinkedHashMap<>();

  private IndividualScores() {}

  /**
   * Reads the rows in the folders of results. A result without rows, for example in a folder that
   * was copied without its Arrow files, is not used for intervals. The log names the folder.
   *
   * @throws DataFormatException if the rows do not belong to their result
   */
  static IndividualScores read(List<Located<EvaluationResult>> results, DocumentEnds ends)
      throws IOException {
    IndividualScores all = new IndividualScores();
    results.stream().map(Located::value).forEach(all::note);
    Map<Path, Integer> missing = new LinkedHashMap<>();
    for (Located<EvaluationResult> located : results) {
      EvaluationResult result = located.value();
      Path file = located.file().resolveSibling(NllFile.nameFor(result));
      if (Files.isRegularFile(file)) {
        all.add(result, read(result, file), ends);
      } else {
        missing.merge(located.file(), 1, Integer::sum);
      }
    }
    missing.forEach(
        (file, count) ->
            LOG.warn(
                "{}: no intervals for {}, whose nll-*.arrow files are not in the folder",
                file,
                Count.of(count, "result")));
    return all;
  }

  private void note(EvaluationResult result) {
    longest.merge(result.protocol(), result.length(), Math::max);
    scoredPerWindow
        .computeIfAbsent(result.protocol(), protocol -> new HashSet<>())
        .add(result.windows().scoredPerWindow());
  }

  private static ScoredTargets read(EvaluationResult result, Path file) throws IOException {
    ScoredTargets scored = NllFile.read(file).scored();
    if (!scored.targetsSha256().equals(result.targetsSha256())
        || scored.nllSum() != result.sums().sum()) {
      throw new DataFormatException(
          file.toString(),
          "the rows of the result in " + ResultFile.EVALUATIONS.name(),
          "rows with another sum or other targets",
          "evaluate the checkpoint again into a new folder");
    }
    return scored;
  }

  private void add(EvaluationResult result, ScoredTargets scored, DocumentEnds ends) {
    Key key = new Key(result.run(), result.protocol(), result.length());
    // A result that is found twice counts once.
    boolean known =
        scores.getOrDefault(key, List.of()).stream()
            .anyMatch(one -> one.seeds().contains(result.seed()));
    if (known) {
      return;
    }
    scores.computeIfAbsent(key, k -> new ArrayList<>()).add(some(result, scored, row -> true));
    IntPredicate last = row -> ends.contains(scored.target(row));
    if (IntStream.range(0, scored.count()).anyMatch(last)) {
      atDocumentEnds.computeIfAbsent(key, k -> new ArrayList<>()).add(some(result, scored, last));
    }
    if (scored.leastPosition() == 1 && result.length() == longest(result.protocol())) {
      for (PositionBin bin : PositionBin.upTo(result.length() - 1)) {
        byPosition
            .computeIfAbsent(new BinKey(key, bin), k -> new ArrayList<>())
            .add(
                some(
                    result,
                    scored,
                    row ->
                        bin.first() <= scored.position(row) && scored.position(row) <= bin.last()));
      }
    }
  }

  private Scores some(EvaluationResult result, ScoredTargets scored, IntPredicate which) {
    int[] rows = IntStream.range(0, scored.count()).filter(which).toArray();
    double[] nlls = IntStream.of(rows).mapToDouble(scored::nll).toArray();
    if (result.windows().scoredPerWindow() == 1) {
      return Scores.of(result.seed(), IntStream.of(rows).mapToLong(scored::target).toArray(), nlls);
    }
    int last = result.length() - 1;
    return Scores.ofWindows(
        result.seed(),
        IntStream.of(rows)
            .mapToLong(row -> scored.target(row) - scored.position(row) + last)
            .toArray(),
        nlls,
        longest(result.protocol()) - 1L);
  }

  private int longest(Protocol protocol) {
    return longest.getOrDefault(protocol, 1);
  }

  /**
   * Whether a protocol scores the same targets at each length, and the same number of tokens per
   * window. If it scores more tokens of longer windows, a change with the length is also a change
   * of positions and says nothing about extrapolation.
   */
  boolean scoresAlike(Protocol protocol) {
    return protocol != Protocol.INDEPENDENT
        && scoredPerWindow.getOrDefault(protocol, Set.of()).size() == 1;
  }

  /** The same of one token of each window. */
  boolean scoresLastTokens(Protocol protocol) {
    return scoresAlike(protocol) && Set.of(1).equals(scoredPerWindow.get(protocol));
  }

  Optional<Scores> of(String run, Protocol protocol, int length) {
    return together(scores.get(new Key(run, protocol, length)));
  }

  /** The last tokens of documents, if any were scored. */
  Optional<Scores> atDocumentEnds(String run, Protocol protocol, int length) {
    return together(atDocumentEnds.get(new Key(run, protocol, length)));
  }

  /**
   * The seeds of one run at the longest length, at the positions of a bin, if these were scored.
   */
  Optional<Scores> at(String run, Protocol protocol, PositionBin bin) {
    Key key = new Key(run, protocol, longest(protocol));
    return together(byPosition.get(new BinKey(key, bin)));
  }

  /**
   * The standard error in nats of the mean of one result, over independent units. It is empty if
   * there are fewer than two units, or if the rows of a result with several tokens per window were
   * not found
   */
  OptionalDouble standardError(EvaluationResult result) {
    if (result.windows().scoredPerWindow() == 1) {
      // Each target is a unit, so the sums of the result are enough.
      return result.sums().count() == 1
          ? OptionalDouble.empty()
          : OptionalDouble.of(result.sums().standardError());
    }
    return scores
        .getOrDefault(new Key(result.run(), result.protocol(), result.length()), List.of())
        .stream()
        .filter(one -> one.seeds().contains(result.seed()))
        .map(Scores::standardErrorOverUnits)
        .findFirst()
        .orElse(OptionalDouble.empty());
  }

  private static Optional<Scores> together(@Nullable List<Scores> seeds) {
    return seeds == null ? Optional.empty() : Scores.together(seeds);
  }
}
