package org.lengthwise.eval.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Times several forms of one piece of work in turn: one pass of each to warm up, then one of each
 * in every round, so that whatever else the machine does falls on all of them alike.
 *
 * @param memory where the process's memory is read
 * @param repetitions how many rounds there are
 */
record Interleaved(ProcessMemory memory, int repetitions) {
  private static final double NANOS_PER_MILLISECOND = 1e6;

  /**
   * One way to do the work.
   *
   * @param name what it is called in the table
   * @param isOnce whether its first pass is its only one, for a form that takes minutes
   * @param pass does the work and returns its result, which other forms should equal
   */
  record Form(String name, boolean isOnce, DoubleSupplier pass) {
    static Form of(String name, DoubleSupplier pass) {
      return new Form(name, false, pass);
    }

    static Form once(String name, DoubleSupplier pass) {
      return new Form(name, true, pass);
    }
  }

  /**
   * What a form did.
   *
   * @param form its name
   * @param timing how long it took
   * @param result what its first pass returned
   * @param peakBytes the process's peak during that pass, null where it cannot be had
   */
  record Timed(String form, Timing timing, double result, @Nullable Long peakBytes) {}

  /** One pass of a form. */
  private record Pass(double result, double milliseconds) {
    static Pass of(Form form) {
      long start = System.nanoTime();
      double result = form.pass().getAsDouble();
      return new Pass(result, (System.nanoTime() - start) / NANOS_PER_MILLISECOND);
    }
  }

  /** The first pass of a form, and the memory it took. */
  private record First(Pass pass, @Nullable Long peakBytes) {}

  /** Times the forms; their first passes run in this order, so the leanest should come first. */
  List<Timed> run(List<Form> forms) {
    List<First> firsts = new ArrayList<>();
    for (Form form : forms) {
      firsts.add(first(form));
    }
    double[][] milliseconds = new double[forms.size()][repetitions];
    for (int round = 0; round < repetitions; round++) {
      for (int i = 0; i < forms.size(); i++) {
        if (!forms.get(i).isOnce()) {
          milliseconds[i][round] = Pass.of(forms.get(i)).milliseconds();
        }
      }
    }
    List<Timed> timed = new ArrayList<>();
    for (int i = 0; i < forms.size(); i++) {
      First first = firsts.get(i);
      double[] own =
          forms.get(i).isOnce() ? new double[] {first.pass().milliseconds()} : milliseconds[i];
      timed.add(
          new Timed(forms.get(i).name(), Timing.of(own), first.pass().result(), first.peakBytes()));
    }
    return timed;
  }

  private First first(Form form) {
    System.gc(); // what earlier forms left in the heap is not this form's
    boolean measures = memory.forgetPeak();
    Pass pass = Pass.of(form);
    OptionalLong peak = measures ? memory.peak() : memory.resident();
    return new First(pass, peak.isPresent() ? peak.getAsLong() : null);
  }
}
