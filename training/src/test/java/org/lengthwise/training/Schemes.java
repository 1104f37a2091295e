package org.lengthwise.training;

import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.KerplePower;
import org.lengthwise.positional.Learned;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionScaling;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.Sandwich;
import org.lengthwise.positional.ScaledRope;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.SlidingWindow.Within;
import org.lengthwise.positional.T5;

/** The schemes that this module's tests run over: at least one of every kind. */
public final class Schemes {
  private Schemes() {}

  /** Every scheme, RegularGPT with a depth that changes at 3, 9 and 27 tokens. */
  public static List<PositionalScheme> all() {
    return List.of(
        new Alibi(),
        new KerpleLog(),
        new KerplePower(),
        new T5(),
        new NoPosition(),
        new Sandwich(8),
        new Fire(10),
        new Rope(10_000),
        new Rope(100).scaled(PositionScaling.YARN, 8),
        new Sinusoidal(),
        new Learned(60),
        new SlidingWindow(4, Within.ALIBI),
        new SlidingWindow(5, Within.NONE),
        new RegularGpt(3, 2));
  }

  /** Every scheme that a model can be trained with. */
  public static List<PositionalScheme> trainable() {
    return all().stream().filter(scheme -> !(scheme instanceof ScaledRope)).toList();
  }

  /** The records of a sealed family. */
  static Stream<Class<?>> records(Class<?> family) {
    return family.isSealed()
        ? Stream.of(family.getPermittedSubclasses()).flatMap(Schemes::records)
        : Stream.of(family);
  }
}
