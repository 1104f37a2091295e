package org.lengthwise.eval.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Times several forms of one piece of work in turn: one pass of each to warm up, then one of each
 * in every round, so that whatever else the machine does falls on all of them alike. A form that
 * takes minutes has its first pass only. What forms are compared with is made once more after the
 * last round, where their results are more than a number.
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
   * @param pass does the work and returns a number of its result
   * @param references the plainer forms that it is compared with
   */
  record Form(String name, boolean isOnce, DoubleSupplier pass, List<Reference> references) {
    /** Takes a copy. */
    Form {
      references = List.copyOf(references);
    }

    static Form of(String name, DoubleSupplier pass) {
      return new Form(name, false, pass, List.of());
    }

    static Form once(String name, DoubleSupplier pass) {
      return new Form(name, true, pass, List.of());
    }

    /** The same compared with other forms, whose first passes should return the same number. */
    Form against(String... others) {
      return with(List.of(others).stream().map(other -> new Reference(other, null)).toList());
    }

    /** The same compared with another form by more than a number. */
    Form against(String other, DoubleSupplier difference) {
      return with(List.of(new Reference(other, difference)));
    }

    private Form with(List<Reference> others) {
      return new Form(name, isOnce, pass, others);
    }
  }

  /**
   * What a form is compared with.
   *
   * @param form the other form's name
   * @param difference tells how far their results are apart; null if that is how far the numbers
   *     are that their first passes returned
   */
  record Reference(String form, @Nullable DoubleSupplier difference) {}

  /**
   * What a form did.
   *
   * @param form its name
   * @param timing how long it took
   * @param result what its first pass returned
   * @param peakBytes the process's peak during that pass, null where it cannot be had
   * @param references what it is compared with
   */
  record Timed(
      String form,
      Timing timing,
      double result,
      @Nullable Long peakBytes,
      List<Reference> references) {
    /** Takes a copy. */
    Timed {
      references = List.copyOf(references);
    }
  }

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
      Form form = forms.get(i);
      First first = firsts.get(i);
      double[] own = form.isOnce() ? new double[] {first.pass().milliseconds()} : milliseconds[i];
      timed.add(
          new Timed(
              form.name(),
              Timing.of(own),
              first.pass().result(),
              first.peakBytes(),
              form.references()));
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
