package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;

/**
 * Another scheme at random positions, so that a model trained on short sequences has met the
 * positions of long ones. Each training step draws a sorted sample without repetition:
 *
 * <ul>
 *   <li>of a scheme by distance, distances 0 = d<sub>0</sub> &lt; d<sub>1</sub> &lt; .. &lt;
 *       d<sub>T-1</sub> &lt; L, of which d<sub>delta</sub> stands for delta in every pair;
 *   <li>of a scheme by position, positions 0 &lt;= p<sub>0</sub> &lt; .. &lt; p<sub>T-1</sub> &lt;
 *       L, of which p<sub>m</sub> stands for m.
 * </ul>
 *
 * <p>A pass has one sample for all sequences and layers, by its seed and T. Passes that do not
 * train draw, too, so the result of a prefix is not a prefix of the result.
 *
 * <p>Source: Ruoss et al., "Randomized Positional Encodings Boost Length Generalization of
 * Transformers", ACL 2023. Its code draws again in each layer of a relative scheme.
 *
 * @param length L, the end of the range, and the longest sequence
 * @param of the other scheme
 */
@JsonTypeName("randomized")
public record Randomized(@Unit("positions") int length, PositionalScheme of)
    implements CompoundScheme {

  public Randomized {
    Checks.atLeast("length", length, 1);
    boolean isByPosition =
        of instanceof Rotary || of instanceof Learned || of instanceof Sinusoidal;
    boolean hasTable =
        isByDistance(of)
            || (isByPosition && of.reach().hasLaterKeys()); // windows are for earlier keys
    Checks.require(
        hasTable && of.attendsByDistance(),
        "of",
        "rope, learned, sinusoidal, transformer-xl or a bias by distance, without a window, a"
            + " condition or a scaling by length, because sampled numbers replace those of its table",
        of.label());
    Checks.require(
        length <= of.lengths().longest(),
        "length",
        "at most the %s positions of %s".formatted(of.lengths().longest(), of.label()),
        length);
  }

  private static boolean isByDistance(PositionalScheme of) {
    return of instanceof DistanceBias
        || of instanceof TransformerXl
        || (of instanceof Formula formula && formula.visible() == null);
  }

  @Override
  public List<PositionalScheme> parts() {
    return List.of(of);
  }

  @Override
  public PositionalScheme withParts(UnaryOperator<PositionalScheme> change) {
    PositionalScheme other = change.apply(of);
    return other.equals(of) ? this : new Randomized(length, other);
  }

  /** Every inner scheme is another scheme in results. */
  @Override
  public String label() {
    return "randomized-" + of.label();
  }

  @Override
  public String summary() {
    return "%s of %s are a sorted sample of 0..%s, drawn at each step; Ruoss et al. 2023"
        .formatted(isByDistance(of) ? "distances" : "positions", of.label(), length - 1);
  }

  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.sampled(this);
  }

  @Override
  public Optional<PositionSample> sample(long seed, int numPositions) {
    int fixed = isByDistance(of) ? 1 : 0; // distance 0
    return Optional.of(PositionSample.draw(seed, numPositions, length, fixed));
  }

  @Override
  public PositionalScheme trainedAt(int trainLength, int heads, int width, int layers) {
    return of instanceof Formula formula
        ? new Randomized(length, formula.trainedAt(trainLength, length, heads, width, layers))
        : CompoundScheme.super.trainedAt(trainLength, heads, width, layers);
  }

  /** A short sequence has far distances, too, so the whole range is checked. */
  @Override
  public void requireFinite(List<PositionalValues> blocks, long numPositions) {
    of.requireFinite(blocks, length);
  }

  @Override
  public LengthUse lengths() {
    return new LengthUse(length, numPositions -> false, false);
  }

  /** A model has met all positions, so none is to be scaled. */
  @Override
  public Optional<PositionalScheme> scaled(PositionScaling scaling, int trainLength) {
    return Optional.empty();
  }

  @Override
  public Reach reach() {
    return isByDistance(of) ? Reach.EARLIER : of.reach();
  }
}
