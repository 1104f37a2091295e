package org.lengthwise.eval.statistics;

import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;

/**
 * When a scheme counts as extrapolating. At one length, by the interval of the paired change of the
 * mean negative log-likelihood since T_tr:
 *
 * <ul>
 *   <li>it <i>holds</i> if the whole interval is at most ln(tolerated ratio);
 *   <li>it <i>explodes</i> if the whole interval is at least ln(explosive ratio);
 *   <li>it <i>degrades</i> if the whole interval is above ln(tolerated ratio) otherwise;
 *   <li>it is <i>not settled</i> if the interval has ln(tolerated ratio) inside.
 * </ul>
 *
 * @param toleratedRatio the perplexity at T over that at T_tr that still counts as holding
 * @param explosiveRatio the same from which on it counts as an explosion
 */
public record VerdictRule(double toleratedRatio, double explosiveRatio) {
  /** Checks the values. */
  public VerdictRule {
    if (!(toleratedRatio >= 1 && toleratedRatio < explosiveRatio)) {
      throw new IllegalArgumentException(
          "expected 1 <= tolerated_ratio < explosive_ratio, found %s and %s"
              .formatted(toleratedRatio, explosiveRatio));
    }
  }

  /**
   * What an interval settles at one length.
   *
   * @param change the interval of the paired change since T_tr, in nats
   * @return the outcome
   */
  public Outcome at(Interval change) {
    double tolerated = Math.log(toleratedRatio);
    if (change.high() <= tolerated) {
      return Outcome.HOLDS;
    }
    if (change.low() <= tolerated) {
      return Outcome.NOT_SETTLED;
    }
    return change.low() >= Math.log(explosiveRatio) ? Outcome.EXPLODES : Outcome.DEGRADES;
  }

  /**
   * The verdict over all lengths beyond T_tr: an explosion at any of them outweighs a degradation,
   * that outweighs a length that is not settled, and this one those at which the scheme holds.
   *
   * @param trainLength T_tr
   * @param changes by length beyond T_tr the interval of the paired change, at least one
   * @return the verdict
   */
  public Verdict over(int trainLength, SortedMap<Integer, Interval> changes) {
    OptionalInt exploding = first(changes, Outcome.EXPLODES);
    OptionalInt degrading = first(changes, Outcome.DEGRADES);
    OptionalInt unsettled = first(changes, Outcome.NOT_SETTLED);
    int heldTo = heldTo(trainLength, changes);
    if (exploding.isPresent()) {
      return new Verdict(Outcome.EXPLODES, trainLength, heldTo, exploding);
    }
    if (degrading.isPresent()) {
      return new Verdict(Outcome.DEGRADES, trainLength, heldTo, degrading);
    }
    return new Verdict(
        unsettled.isPresent() ? Outcome.NOT_SETTLED : Outcome.HOLDS,
        trainLength,
        heldTo,
        unsettled);
  }

  private OptionalInt first(SortedMap<Integer, Interval> changes, Outcome outcome) {
    return changes.entrySet().stream()
        .filter(change -> at(change.getValue()) == outcome)
        .mapToInt(Map.Entry::getKey)
        .findFirst();
  }

  private int heldTo(int trainLength, SortedMap<Integer, Interval> changes) {
    int heldTo = trainLength;
    for (Map.Entry<Integer, Interval> change : changes.entrySet()) {
      if (at(change.getValue()) != Outcome.HOLDS) {
        break;
      }
      heldTo = change.getKey();
    }
    return heldTo;
  }
}
