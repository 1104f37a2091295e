package org.lengthwise.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.bench.BenchRow.Contrast;
import org.lengthwise.bench.BenchRow.Timing;

/**
 * Times several variants of one workload in turn: one pass of each as a warm-up, then one pass of
 * each in every round. Other load on the machine then affects all variants equally.
 */
record RoundRobinTimer(ProcessMemory memory, int repetitions) {
  static final double NANOS_PER_MILLISECOND = 1e6;

  /** The computation that several variants share. */
  record Workload(BenchPart part, String name, int length, int tokens) {}

  /**
   * One way to compute the workload.
   *
   * @param isOnce whether the first pass is the only one, for a variant that takes minutes
   * @param pass computes the workload and returns a number of the result
   */
  record Variant(String name, boolean isOnce, DoubleSupplier pass, List<Reference> references) {

    static Variant of(String name, DoubleSupplier pass) {
      return new Variant(name, false, pass, List.of());
    }

    static Variant once(String name, DoubleSupplier pass) {
      return new Variant(name, true, pass, List.of());
    }

    /** Compares this variant with others by the numbers that their first passes return. */
    Variant against(String... others) {
      return with(
          Stream.of(others)
              .map(other -> new Reference(other, (own, plainer) -> Math.abs(own - plainer)))
              .toList());
    }

    /** Compares this variant with another one by a function of both results. */
    Variant against(String other, DoubleSupplier difference) {
      return with(List.of(new Reference(other, (own, plainer) -> difference.getAsDouble())));
    }

    /** Compares the time of this variant with another one, which computes something else. */
    Variant inTimeAgainst(String other) {
      return with(List.of(new Reference(other, null)));
    }

    private Variant with(List<Reference> others) {
      return new Variant(
          name, isOnce, pass, Stream.concat(references.stream(), others.stream()).toList());
    }
  }

  /**
   * A variant that another one is compared with.
   *
   * @param difference the distance of the two results, which is computed after the last round; null
   *     if the variants compute different things
   */
  record Reference(String variant, @Nullable DoubleBinaryOperator difference) {}

  private record Pass(double result, double milliseconds) {
    static Pass of(Variant variant) {
      long start = System.nanoTime();
      double result = variant.pass().getAsDouble();
      return new Pass(result, (System.nanoTime() - start) / NANOS_PER_MILLISECOND);
    }
  }

  /**
   * A measured variant.
   *
   * @param rounds the duration of each round in milliseconds; one number if it ran once
   * @param result the number that the first pass returned
   */
  private record Timed(Variant variant, double[] rounds, double result, OptionalLong peakBytes) {

    private Contrast contrast(Reference reference, List<Timed> all) {
      Timed other =
          all.stream()
              .filter(timed -> timed.variant.name().equals(reference.variant()))
              .findAny()
              .orElseThrow();
      DoubleBinaryOperator difference = reference.difference();
      return new Contrast(
          reference.variant(),
          speed(rounds, other.rounds),
          difference == null ? null : difference.applyAsDouble(result, other.result),
          null);
    }

    private BenchRow row(Workload work, List<Timed> all) {
      return new BenchRow(
          work,
          variant.name(),
          Timing.of(rounds),
          peakBytes.isPresent() ? peakBytes.getAsLong() >> 20 : null,
          variant.references().stream().map(reference -> contrast(reference, all)).toList(),
          null);
    }
  }

  /**
   * Times the variants. The first passes run in list order: put the smallest peak first.
   *
   * @return a row for each variant
   */
  List<BenchRow> run(Workload work, List<Variant> variants) {
    List<Timed> timed = new ArrayList<>();
    variants.forEach(variant -> timed.add(first(variant)));
    for (int round = 0; round < repetitions; round++) {
      for (Timed each : timed) {
        if (!each.variant().isOnce()) {
          each.rounds()[round] = Pass.of(each.variant()).milliseconds();
        }
      }
    }
    return timed.stream().map(each -> each.row(work, timed)).toList();
  }

  private Timed first(Variant variant) {
    System.gc(); // removes what earlier variants left in the heap
    boolean measures = memory.resetPeak();
    Pass pass = Pass.of(variant);
    return new Timed(
        variant,
        variant.isOnce() ? new double[] {pass.milliseconds()} : new double[repetitions],
        pass.result(),
        measures ? memory.peak() : memory.resident());
  }

  /**
   * How much faster one variant is than another one: the median over the rounds of the ratio of
   * their times, since the speed of a machine drifts between rounds.
   */
  static double speed(double[] own, double[] other) {
    if (own.length != other.length) {
      return Timing.of(other).median() / Timing.of(own).median();
    }
    return Timing.of(IntStream.range(0, own.length).mapToDouble(i -> other[i] / own[i]).toArray())
        .median();
  }
}
