package org.lengthwise.positional.attention;

import static org.lengthwise.positional.FormulaParameter.Per.HEAD;
import static org.lengthwise.positional.FormulaParameter.Per.LAYER;
import static org.lengthwise.positional.FormulaParameter.Per.SHARED;

import java.util.List;
import java.util.Map;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Cope;
import org.lengthwise.positional.Dape;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.ForgetGate;
import org.lengthwise.positional.Formulas;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.KerplePower;
import org.lengthwise.positional.LayerWindow;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.Learned;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Randomized;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.RopeScaling;
import org.lengthwise.positional.Sandwich;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;
import org.lengthwise.positional.StickBreaking;
import org.lengthwise.positional.T5;
import org.lengthwise.positional.Temperature;
import org.lengthwise.positional.Tempered;
import org.lengthwise.positional.TransformerXl;

/**
 * A scheme whose attention {@link SchemeContractIT} checks.
 *
 * @param isCausal whether queries see no later keys
 * @param block the block whose attention is compared
 * @param longestWithoutScaling the longest sequence in which the result of a prefix is the prefix
 *     of the result
 */
record SchemeCase(
    String name, PositionalScheme scheme, boolean isCausal, int block, int longestWithoutScaling) {

  /** Of each scheme at least one. */
  static List<SchemeCase> all() {
    LayerWindow window = new LayerWindow(7, 0);
    LayerWindow laterWindow = new LayerWindow(7, 1);
    return List.of(
        of("alibi", new Alibi()),
        of("alibi, largest bias", new Alibi(16)),
        of("cope", new Cope(4, Cope.Scale.ONE)),
        of("dape", new Dape(2, new KerpleLog())),
        of("fire", new Fire(8)),
        of("forget-gate", new ForgetGate(ForgetGate.First.ZERO, new NoPosition())),
        of("forget-gate over rope", new ForgetGate(ForgetGate.First.SLOPES, new Rope(100))),
        of("formula by distance, a table and a choice", byDistance()),
        of("formula by absolute positions", byQuery()),
        of(
            "formula whose condition is no window",
            Formulas.of("-h * delta / H", "delta <= 2 or floor(delta / 4) * 4 == delta", Map.of())),
        of("formula in a window, infinite slopes at 0", inWindow()),
        of("kerple-log", new KerpleLog()),
        of("kerple-power", new KerplePower()),
        of("layers", layers()).inBlock(4), // KERPLE's second block shares its tensors
        of("learned", new Learned(700)),
        of("none", new NoPosition()),
        of("none, both directions", new NoPosition()).inBothDirections(),
        of("randomized", new Randomized(800, new KerpleLog())).changingBeyond(1),
        of("randomized rope", new Randomized(800, new Rope(10_000))).changingBeyond(1),
        of("regulargpt", new RegularGpt(3)),
        of("rope", new Rope(10_000)),
        of("rope, both directions", new Rope(100)).inBothDirections(),
        of("rope, a quarter of the features", new Rope(100, 0.25, RopeScaling.none(), null)),
        of("rope, window", new Rope(100, 1, RopeScaling.none(), window)),
        of("rope, window of the other block", new Rope(100, 0.5, RopeScaling.none(), laterWindow))
            .inBlock(1),
        of("rope, linear", new Rope(100, 1, new RopeScaling.Linear(4), null)),
        of("rope, llama3", new Rope(500_000, 1, new RopeScaling.Llama3(8, 1, 4, 64), null)),
        of("rope, yarn", new Rope(100, 0.75, new RopeScaling.Yarn(4, 32), null)),
        of("rope, dynamic", new Rope(100, 1, new RopeScaling.Dynamic(2, 8), null))
            .changingBeyond(8),
        of("rope, longrope", new Rope(100, 0.5, longRope(), null)).changingBeyond(8),
        of("rope, interpolation at test time", scaled(new Rope(100), "interpolation"))
            .changingBeyond(8),
        of("rope, ntk at test time", scaled(new Rope(100), "ntk")).changingBeyond(8),
        of("rope, yarn at test time", scaled(new Rope(100), "yarn")).changingBeyond(8),
        of( // the block keeps its rotations, because its window is within the training length
                "rope, yarn at test time, window of the other block",
                scaled(new Rope(100, 0.5, RopeScaling.none(), laterWindow), "yarn"))
            .inBlock(1),
        of("sandwich", new Sandwich(16)),
        of("sinusoidal", new Sinusoidal()),
        of("sliding-window, alibi", new SlidingWindow(7, Within.ALIBI)),
        of("sliding-window, none", new SlidingWindow(16, Within.NONE)),
        of("chunks, alibi", new SlidingWindow(null, 7, Within.ALIBI, null)),
        of("chunks, rope", new SlidingWindow(null, 5, Within.ROPE, 100.0)),
        of("stick-breaking, rest to itself", new StickBreaking(StickBreaking.Remainder.SELF)),
        of("stick-breaking, no rest", new StickBreaking(StickBreaking.Remainder.NONE)),
        of("t5", new T5(T5.Scale.ONE)),
        of("t5, scaled", new T5(T5.Scale.SQRT_HEAD_WIDTH)),
        of(
            "tempered",
            new Tempered(
                new KerpleLog(),
                new Temperature(Temperature.Name.SSMAX, Temperature.On.SCORES, 0, 0))),
        of("transformer-xl", new TransformerXl()),
        of("transformer-xl, both directions", new TransformerXl()).inBothDirections());
  }

  private static PositionalScheme byDistance() {
    return Formulas.of(
        "if(delta < 4, at(t, delta) - c, -0.2 * p * log1p(a * delta)) + sum(i, 0, 3, cos(delta / 10"
            + " ^ i)) / h",
        Map.of(
            "t", Formulas.table(4, HEAD),
            "c", Formulas.number(SHARED),
            "p", Formulas.atLeast(0.01, HEAD),
            "a", Formulas.atLeast(0.01, LAYER, HEAD)));
  }

  private static PositionalScheme byQuery() {
    return Formulas.of(
        "if(n < 3, at(s, n), -p * log(delta + 1) / log(m + 2)) + if(p > 0.7, 0.1 * p, sqrt(p + 2) /"
            + " (delta - 1000))",
        "n < 2 or delta < 40 or n / 2 == floor(n / 2)",
        Map.of("p", Formulas.number(HEAD), "s", Formulas.table(3, SHARED)));
  }

  /** At distance 0, the roots have infinite slopes, and the bias has none. */
  private static PositionalScheme inWindow() {
    return Formulas.of(
        "-p * delta ^ 2 / (c + 3) + sqrt(a * delta) - (b * delta) ^ 0.3 * delta ^ b",
        "delta < 5 and 7 >= delta",
        Map.of(
            "p", Formulas.number(HEAD),
            "c", Formulas.number(SHARED),
            "a", Formulas.atLeast(0.01, HEAD),
            "b", Formulas.atLeast(0.01, SHARED)));
  }

  private static PositionalScheme layers() {
    return new Layers(
        List.of(
            new SlidingWindow(5, Within.ROPE),
            new KerpleLog(),
            new SlidingWindow(3, Within.ALIBI)));
  }

  private static RopeScaling longRope() {
    return new RopeScaling.LongRope(List.of(1.0, 1.2), List.of(1.5, 4.0), 8, 1.19);
  }

  /** A scheme at test time, trained at 8 positions. */
  private static PositionalScheme scaled(PositionalScheme scheme, String scaling) {
    return scheme.scaled(PositionScaling.of(scaling), 8).orElseThrow();
  }

  private static SchemeCase of(String name, PositionalScheme scheme) {
    return new SchemeCase(name, scheme, true, 0, Integer.MAX_VALUE);
  }

  private SchemeCase inBothDirections() {
    return new SchemeCase(name, scheme, false, block, longestWithoutScaling);
  }

  private SchemeCase inBlock(int other) {
    return new SchemeCase(name, scheme, isCausal, other, longestWithoutScaling);
  }

  /** A longer sequence has another scaling or another sample. */
  private SchemeCase changingBeyond(int length) {
    return new SchemeCase(name, scheme, isCausal, block, length);
  }

  @Override
  public String toString() {
    return name;
  }
}
