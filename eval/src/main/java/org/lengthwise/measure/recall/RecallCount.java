package org.lengthwise.measure.recall;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.lengthwise.measure.recall.RecallMeasurement.Cell;
import org.lengthwise.recall.Baseline;
import org.lengthwise.recall.Passkey;
import org.lengthwise.recall.RecallString;
import org.lengthwise.recall.RecallTask;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.AccuracyResult.Bin;
import org.lengthwise.result.AccuracyResult.Share;
import org.lengthwise.result.AccuracyResult.Strings;

/** Counts the errors of a model and of the baselines on the same strings. */
final class RecallCount {
  private final RecallTask task;
  private final List<Baseline> rules;
  private final long[] wrongTokens;
  private final long[] wrongStrings;
  private final Map<Integer, long[]> bins = new TreeMap<>();
  private long numTokens;
  private long numStrings;
  private long decoys;

  /** The model's errors are in front of those of the baselines. */
  RecallCount(RecallTask task) {
    this.task = task;
    this.rules = task.baselines();
    this.wrongTokens = new long[1 + rules.size()];
    this.wrongStrings = new long[1 + rules.size()];
  }

  List<int[]> add(List<RecallString> strings, List<int[]> predicted) {
    for (int i = 0; i < strings.size(); i++) {
      add(strings.get(i), predicted.get(i));
    }
    return predicted;
  }

  private void add(RecallString string, int[] predicted) {
    long[] wrong = new long[wrongTokens.length];
    int asked = 0;
    for (int t = 0; t < string.ids().length; t++) {
      int target = string.targets()[t];
      if (target != RecallString.NONE) {
        boolean isWrong = predicted[asked++] != target;
        wrong[0] += isWrong ? 1 : 0;
        long[] bin = bins.computeIfAbsent(bin(string.distance()[t]), any -> new long[2]);
        bin[0]++;
        bin[1] += isWrong ? 1 : 0;
        for (int b = 1; b < wrong.length; b++) {
          wrong[b] += rules.get(b - 1).rule().at(string, t) == target ? 0 : 1;
        }
      }
    }
    for (int b = 0; b < wrong.length; b++) {
      wrongTokens[b] += wrong[b];
      wrongStrings[b] += wrong[b] > 0 ? 1 : 0;
    }
    numTokens += asked;
    numStrings++;
    decoys += task instanceof Passkey && Passkey.isDecoy(string, predicted) ? 1 : 0;
  }

  /** The longest distance of a bin: 1, 2, 4, 8, .. */
  private static int bin(int distance) {
    return distance <= 1 ? 1 : Integer.highestOneBit(distance - 1) << 1;
  }

  AccuracyResult result(Cell cell, double chance, long seed) {
    List<Bin> distances = new ArrayList<>();
    bins.forEach((to, bin) -> distances.add(new Bin(to, bin[0] - bin[1], bin[0])));
    List<AccuracyResult.Baseline> baselines = new ArrayList<>();
    for (Baseline baseline : rules) {
      int b = 1 + baselines.size();
      List<Long> right = List.of(numStrings - wrongStrings[b], numTokens - wrongTokens[b]);
      baselines.add(new AccuracyResult.Baseline(baseline.name(), false, right));
    }
    Share strings = new Share("strings", numStrings - wrongStrings[0], numStrings);
    Share tokens = new Share("tokens", numTokens - wrongTokens[0], numTokens, chance);
    Share[] shares =
        task instanceof Passkey
            ? new Share[] {strings, tokens, new Share("decoys", decoys, numStrings)}
            : new Share[] {strings, tokens};
    return AccuracyResult.of(
            AccuracyResult.RECALL,
            cell.model().described(),
            new Strings(
                task.name(), cell.settings(), cell.drawn(), cell.length(), numStrings, seed),
            shares)
        .with(baselines)
        .with(distances, Map.of());
  }
}
