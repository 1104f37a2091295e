package org.lengthwise.eval.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.eval.result.EvaluationResult;
import org.lengthwise.eval.result.Located;
import org.lengthwise.eval.result.NllFile;
import org.lengthwise.eval.result.Protocol;
import org.lengthwise.eval.result.ScoredTargets;
import org.lengthwise.eval.statistics.PositionBin;
import org.lengthwise.eval.statistics.Scores;

/**
 * The individual negative log-likelihoods behind results, the seeds together: by run, protocol and
 * length, and for the longest length of protocols that score whole windows by position too.
 *
 * <p>Where the last token of each window is scored, every target is a unit of its own. Where
 * neighbours are, whole windows are, so that what the tokens of a window have in common is not
 * counted as if it were seen many times. Windows may overlap or adjoin: those that end in one
 * stretch of the split, as long as all that the longest window can score, are one unit. The windows
 * side by side into which a chunk of the longest length is cut at shorter ones are so too.
 */
final class IndividualScores {
  private static final Logger LOG = LogManager.getLogger(IndividualScores.class);

  private record Key(String run, Protocol protocol, int length) {}

  private record BinKey(Key key, PositionBin bin) {}

  private final Map<Protocol, Integer> longest = new LinkedHashMap<>();
  private final Map<Protocol, Set<Integer>> scoredPerWindow = new LinkedHashMap<>();
  private final Map<Key, List<Scores>> scores = new LinkedHashMap<>();
  private final Map<BinKey, List<Scores>> byPosition = new LinkedHashMap<>();

  private IndividualScores() {}

  /**
   * Reads the rows that lie beside results. A result without them, as in a folder that was copied
   * without its Arrow files, is named in the log and has no part in any interval.
   *
   * @param results the results with their places
   * @return the rows that are there
   * @throws IOException if a file cannot be read
   * @throws DataFormatException if the rows are not those of their result
   */
  static IndividualScores beside(List<Located<EvaluationResult>> results) throws IOException {
    IndividualScores all = new IndividualScores();
    results.stream().map(Located::value).forEach(all::note);
    for (Located<EvaluationResult> located : results) {
      EvaluationResult result = located.value();
      Path file = located.file().resolveSibling(NllFile.nameFor(result));
      if (Files.isRegularFile(file)) {
        all.add(result, read(result, file));
      } else {
        LOG.warn("{} is not there: no intervals for {}", file, located.place());
      }
    }
    return all;
  }

  private void note(EvaluationResult result) {
    longest.merge(result.protocol(), result.length(), Math::max);
    scoredPerWindow
        .computeIfAbsent(result.protocol(), protocol -> new HashSet<>())
        .add(result.scoredPerWindow());
  }

  private static ScoredTargets read(EvaluationResult result, Path file) throws IOException {
    ScoredTargets scored = NllFile.read(file).scored();
    if (!scored.targetsSha256().equals(result.targetsSha256())
        || scored.nllSum() != result.nllSum()) {
      throw new DataFormatException(
          file.toString(),
          "the rows that the line of its result sums up",
          "others",
          "evaluate the checkpoint again into a new folder");
    }
    return scored;
  }

  private void add(EvaluationResult result, ScoredTargets scored) {
    Key key = new Key(result.run(), result.protocol(), result.length());
    // A result that is found twice counts once.
    boolean known =
        scores.getOrDefault(key, List.of()).stream()
            .anyMatch(one -> one.seeds().contains(result.seed()));
    if (known) {
      return;
    }
    scores.computeIfAbsent(key, k -> new ArrayList<>()).add(some(result, scored, row -> true));
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

  /** Some rows of one seed. */
  private Scores some(EvaluationResult result, ScoredTargets scored, IntPredicate which) {
    int[] rows = IntStream.range(0, scored.count()).filter(which).toArray();
    double[] nlls = IntStream.of(rows).mapToDouble(scored::nll).toArray();
    if (result.scoredPerWindow() == 1) {
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
   * Whether a protocol scores as many tokens of a window at every length. Where it scores more of a
   * longer window, a change with the length is one of positions too, and shows no extrapolation.
   */
  boolean scoresAlike(Protocol protocol) {
    return scoredPerWindow.getOrDefault(protocol, Set.of()).size() == 1;
  }

  /** The seeds of one run at one length, on what all of them have. */
  Optional<Scores> of(String run, Protocol protocol, int length) {
    return together(scores.get(new Key(run, protocol, length)));
  }

  /** The seeds of one run at the longest length, at some positions, where those were scored. */
  Optional<Scores> at(String run, Protocol protocol, PositionBin bin) {
    Key key = new Key(run, protocol, longest(protocol));
    return together(byPosition.get(new BinKey(key, bin)));
  }

  private static Optional<Scores> together(@Nullable List<Scores> seeds) {
    return seeds == null ? Optional.empty() : Scores.together(seeds);
  }
}
