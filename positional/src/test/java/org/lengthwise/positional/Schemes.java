package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.positional.SlidingWindow.Within;

/** An example of every scheme, for the tests of all modules. */
public final class Schemes {
  /** The folder of position files, from any module's folder. */
  private static final Path FILES = Path.of("../conf/position");

  /** Schemes with settings that suit short sequences and small models. */
  private static final List<PositionalScheme> SMALL =
      List.of(
          new Sandwich(8),
          new Fire(10),
          new Rope(10_000),
          new Rope(100, 0.5, new RopeScaling.Dynamic(2, 8), new LayerWindow(5, 1)),
          new Rope(100, 1, new RopeScaling.Linear(4), new LayerWindow(4, 0)),
          new Learned(60),
          new SlidingWindow(4, Within.ALIBI),
          new SlidingWindow(5, Within.NONE),
          new SlidingWindow(null, 4, Within.ROPE, 100.0),
          Formulas.of(
              "-p * delta ^ a / (1 + layer) + if(n < 2, at(t, n), 0)",
              "delta < 9 or n < 2",
              Map.of(
                  "p", Formulas.atLeast(0.01, FormulaParameter.Per.HEAD),
                  "a", Formulas.atLeast(0.01, FormulaParameter.Per.SHARED),
                  "t", Formulas.table(2, FormulaParameter.Per.LAYER, FormulaParameter.Per.HEAD))),
          Formulas.of(
              "at(t, min(delta, 3)) - sqrt(p * delta) / T + layer * cos(h * delta)",
              Map.of(
                  "t", Formulas.table(4, FormulaParameter.Per.HEAD),
                  "p", Formulas.atLeast(0.01, FormulaParameter.Per.SHARED))),
          Formulas.of( // a recurrence accepts this one
              "-p * log1p(delta) + c * layer",
              "delta <= 3",
              Map.of(
                  "p", Formulas.number(FormulaParameter.Per.HEAD),
                  "c", Formulas.number(FormulaParameter.Per.LAYER))),
          new Cope(5, Cope.Scale.ONE),
          new ForgetGate(ForgetGate.First.ZERO, new NoPosition()),
          new ForgetGate(ForgetGate.First.SLOPES, new Rope(100)),
          new Dape(4, new KerpleLog()),
          new Tempered(new SlidingWindow(5, Within.NONE), new Temperature(Temperature.Name.SSMAX)),
          new Tempered(
              new KerpleLog(), new Temperature(Temperature.Name.LOG, Temperature.On.SCORES, 2, 0)),
          new Layers(List.of(new SlidingWindow(4, null, Within.ROPE, 100.0), new KerpleLog())),
          new Layers(
              List.of(
                  new ForgetGate(ForgetGate.First.ZERO, new NoPosition()),
                  new SlidingWindow(null, 4, Within.ALIBI, null))),
          new Randomized(60, new Learned(60)),
          new Randomized(60, new TransformerXl()),
          new Randomized(
              60,
              Formulas.of(
                  "-p * log1p(delta) + c * layer",
                  Map.of(
                      "p", Formulas.number(FormulaParameter.Per.HEAD),
                      "c", Formulas.number(FormulaParameter.Per.LAYER)))),
          new Linear(Linear.Member.PLAIN, false),
          new Linear(Linear.Member.GLA, false),
          new Linear(Linear.Member.MAMBA2, false),
          new Linear(Linear.Member.DELTANET, true),
          new Linear(Linear.Member.LRU, false),
          new Layers(List.of(new Linear(Linear.Member.GATED_DELTANET, false), new NoPosition())),
          new RegularGpt(3)); // its depth changes at 3, 9 and 27 tokens

  /** Schemes as they are at test time, with T_tr = 8: in all blocks, and not in windows. */
  private static final List<PositionalScheme> SCALED =
      Stream.of(
              new Rope(100),
              new Rope(100, 1, RopeScaling.none(), new LayerWindow(5, 1)),
              new Layers(List.of(new SlidingWindow(4, Within.ROPE), new Rope(100))))
          .map(scheme -> scheme.scaled(PositionScaling.of("yarn"), 8).orElseThrow())
          .toList();

  private Schemes() {}

  /**
   * Every scheme. A scheme without a small example is as its position file states it;
   * SchemeContractTest names those that have no file either.
   */
  public static List<PositionalScheme> all() {
    List<PositionalScheme> all = new ArrayList<>(SMALL);
    all.addAll(SCALED);
    for (Class<?> type : records()) {
      if (all.stream().noneMatch(type::isInstance)) {
        inFiles().stream().filter(type::isInstance).findFirst().ifPresent(all::add);
      }
    }
    return all;
  }

  /** Every scheme that a model can be trained with. */
  public static List<PositionalScheme> trainable() {
    return all().stream().filter(scheme -> !SCALED.contains(scheme)).toList();
  }

  /** The records of all schemes. */
  public static List<Class<?>> records() {
    return records(PositionalScheme.class).toList();
  }

  /** The records that a configuration can name, by that name. */
  public static Map<String, Class<?>> byName() {
    Map<String, Class<?>> byName = new TreeMap<>();
    for (Class<?> type : records()) {
      JsonTypeName name = type.getAnnotation(JsonTypeName.class);
      if (name != null) {
        byName.put(name.value(), type);
      }
    }
    return byName;
  }

  /** The schemes of all position files. */
  public static List<PositionalScheme> inFiles() {
    try (Stream<Path> files = Files.walk(FILES)) {
      return files
          .filter(Files::isRegularFile)
          .sorted()
          .map(file -> ConfigLoader.load(file, List.of()).bind("position", PositionalScheme.class))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Class<?>> records(Class<?> family) {
    return family.isSealed()
        ? Stream.of(family.getPermittedSubclasses()).flatMap(Schemes::records)
        : Stream.of(family);
  }
}
