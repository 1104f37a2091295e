package org.lengthwise.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Times several variants of one workload in turn: one pass of each as a warm-up, then one pass of
 * each in every round. Other load on the machine then affects all variants equally.
 *
 * @param memory reads the memory of this process
 */
record RoundRobinTimer(ProcessMemory memory, int repetitions) {
  private static final double NANOS_PER_MILLISECOND = 1e6;

  /**
   * One way to compute the workload.
   *
   * @param name the name in the table
   * @param isOnce whether the first pass is the only one, for a variant that takes minutes
   * @param pass computes the workload and returns a number of the result
   * @param references the plainer variants that this one is compared with
   */
  record Variant(String name, boolean isOnce, DoubleSupplier pass, List<Reference> references) {
    /** Copies the list. */
    Variant {
      references = List.copyOf(references);
    }

    static Variant of(String name, DoubleSupplier pass) {
      return new Variant(name, false, pass, List.of());
    }

    static Variant once(String name, DoubleSupplier pass) {
      return new Variant(name, true, pass, List.of());
    }

    /** Compares this variant with others by the numbers that their first passes return. */
    Variant against(String... others) {
      return with(
          List.of(others).stream()
              .map(
                  other ->
                      new Reference(
                          other, (own, plainer) -> Math.abs(own.result() - plainer.result())))
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
      return new Variant(name, isOnce, pass, others);
    }
  }

  /**
   * A variant that another one is compared with.
   *
   * @param variant the name of the reference
   * @param difference computes the distance of the two results after the last round; null if the
   *     variants compute different things
   */
  record Reference(String variant, @Nullable Difference difference) {}

  /** The distance of the results of two variants. */
  @FunctionalInterface
  interface Difference {
    /** Computes the distance, 0 or greater. */
    double of(Timed own, Timed plainer);
  }

  /**
   * The measurement of a variant.
   *
   * @param timing the duration of a pass
   * @param rounds the duration of each round in milliseconds; one number if it ran once
   * @param result the number that the first pass returned
   * @param peakBytes the peak memory of the process during the first pass, null if unknown
   * @param references the variants that it is compared with
   */
  record Timed(
      String variant,
      Timing timing,
      List<Double> rounds,
      double result,
      @Nullable Long peakBytes,
      List<Reference> references) {
    /** Copies the lists. */
    Timed {
      rounds = List.copyOf(rounds);
      references = List.copyOf(references);
    }

    /**
     * How much faster this variant is than another one: the median over the rounds of the ratio of
     * their times, since the speed of a machine drifts between rounds.
     */
    double speedOver(Timed other) {
      if (rounds.size() != other.rounds.size()) {
        return other.timing.median() / timing.median();
      }
      return Timing.of(
              IntStream.range(0, rounds.size())
                  .mapToDouble(round -> other.rounds.get(round) / rounds.get(round))
                  .toArray())
          .median();
    }
  }

  /** One pass of a variant. */
  private record Pass(double result, double milliseconds) {
    static Pass of(Variant variant) {
      long start = System.nanoTime();
      double result = variant.pass().getAsDouble();
      return new Pass(result, (System.nanoTime() - start) / NANOS_PER_MILLISECOND);
    }
  }

  /** The first pass of a variant, with its peak memory. */
  private record First(Pass pass, @Nullable Long peakBytes) {}

  /** Times the variants. The first passes run in list order: put the smallest peak first. */
  List<Timed> run(List<Variant> variants) {
    List<First> firsts = new ArrayList<>();
    for (Variant variant : variants) {
      firsts.add(first(variant));
    }
    double[][] milliseconds = new double[variants.size()][repetitions];
    for (int round = 0; round < repetitions; round++) {
      for (int i = 0; i < variants.size(); i++) {
        if (!variants.get(i).isOnce()) {
          milliseconds[i][round] = Pass.of(variants.get(i)).milliseconds();
        }
      }
    }
    List<Timed> timed = new ArrayList<>();
    for (int i = 0; i < variants.size(); i++) {
      timed.add(timed(variants.get(i), firsts.get(i), milliseconds[i]));
    }
    return timed;
  }

  private static Timed timed(Variant variant, First first, double[] later) {
    double[] rounds = variant.isOnce() ? new double[] {first.pass().milliseconds()} : later;
    return new Timed(
        variant.name(),
        Timing.of(rounds),
        DoubleStream.of(rounds).boxed().toList(),
        first.pass().result(),
        first.peakBytes(),
        variant.references());
  }

  private First first(Variant variant) {
    System.gc(); // removes what earlier variants left in the heap
    boolean measures = memory.resetPeak();
    Pass pass = Pass.of(variant);
    OptionalLong peak = measures ? memory.peak() : memory.resident();
    return new First(pass, peak.isPresent() ? peak.getAsLong() : null);
  }

  /**
   * The duration of a pass over several repetitions.
   *
   * @param least the fastest repetition in milliseconds
   * @param greatest the slowest repetition in milliseconds
   */
  public record Timing(double median, double least, double greatest, int repetitions) {

    static Timing of(double[] milliseconds) {
      double[] sorted = milliseconds.clone();
      Arrays.sort(sorted);
      int last = sorted.length - 1;
      double median = (sorted[last / 2] + sorted[sorted.length / 2]) / 2;
      return new Timing(median, sorted[0], sorted[last], sorted.length);
    }
  }
}
