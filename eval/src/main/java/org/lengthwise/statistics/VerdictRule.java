package org.lengthwise.statistics;

import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import org.lengthwise.config.Checks;

/**
 * The rule that decides whether a scheme extrapolates. At one length, the interval of the paired
 * change of the mean negative log-likelihood since T_tr decides:
 *
 * <ul>
 *   <li>it <i>holds</i> if the whole interval is at most ln(tolerated ratio);
 *   <li>it <i>explodes</i> if the whole interval is at least ln(explosive ratio);
 *   <li>it <i>degrades</i> if the whole interval is above ln(tolerated ratio) otherwise;
 *   <li>it is <i>not settled</i> if the interval contains ln(tolerated ratio).
 * </ul>
 *
 * @param toleratedRatio the largest ratio of the perplexities at T and at T_tr at which a scheme
 *     holds
 * @param explosiveRatio the smallest ratio that is an explosion
 */
public record VerdictRule(double toleratedRatio, double explosiveRatio) {
  public VerdictRule {
    Checks.require(toleratedRatio >= 1, "tolerated_ratio", "at least 1", toleratedRatio);
    Checks.require(
        explosiveRatio > toleratedRatio,
        "explosive_ratio",
        "a number above tolerated_ratio",
        "%s, with tolerated_ratio %s".formatted(explosiveRatio, toleratedRatio));
  }

  /**
   * {@return the outcome at one length}
   *
   * @param change the interval of the paired change since T_tr, in nats
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
   * {@return the verdict over all lengths beyond T_tr} The worst outcome decides: an explosion,
   * then a degradation, then a length that is not settled. The verdict of an explosion also names
   * the first shorter length that degrades.
   *
   * @param trainLength T_tr
   * @param changes the interval of the paired change at each length beyond T_tr, at least one
   */
  public Verdict over(int trainLength, SortedMap<Integer, Interval> changes) {
    OptionalInt exploding = first(changes, Outcome.EXPLODES);
    OptionalInt degrading = first(changes, Outcome.DEGRADES);
    OptionalInt unsettled = first(changes, Outcome.NOT_SETTLED);
    int heldTo = heldTo(trainLength, changes);
    if (exploding.isPresent()) {
      OptionalInt risesFrom = first(changes.headMap(exploding.getAsInt()), Outcome.DEGRADES);
      return new Verdict(Outcome.EXPLODES, trainLength, heldTo, risesFrom, exploding);
    }
    if (degrading.isPresent()) {
      return new Verdict(Outcome.DEGRADES, trainLength, heldTo, OptionalInt.empty(), degrading);
    }
    return new Verdict(
        unsettled.isPresent() ? Outcome.NOT_SETTLED : Outcome.HOLDS,
        trainLength,
        heldTo,
        OptionalInt.empty(),
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
