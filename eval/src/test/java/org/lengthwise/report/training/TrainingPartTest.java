package org.lengthwise.report.training;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.NullNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lengthwise.report.form.Question;
import org.lengthwise.statistics.Interval;

class TrainingPartTest {
  private static TrainedRun run(String name, double stepSeconds, double passSeconds) {
    LossCurve none = new LossCurve(List.of(), List.of());
    return new TrainedRun(
        name,
        1,
        NullNode.getInstance(),
        Optional.empty(),
        OptionalDouble.empty(),
        stepSeconds,
        passSeconds,
        none,
        none);
  }

  private static List<Question> questions(TrainedRun... runs) {
    return new TrainingPart(List.of(runs), List.of(), List.of()).questions();
  }

  private static List<Double> values(Question question) {
    return question.answers().stream().map(Question.Answer::value).toList();
  }

  /** The faster seed of the model without positions takes 0.5 s. */
  @Test
  void timesAreMultiplesOfThoseWithoutPositions() {
    List<Question> questions =
        questions(run("none-text", 0.5, 0.5), run("none-text", 0.75, 0.5), run("t5", 1, 2));

    assertThat(questions)
        .extracting(Question::title)
        .containsExactly("step / none", "forward / none");
    assertThat(values(questions.get(0))).containsExactly(1.0, 2.0);
    assertThat(questions.get(0).answers().get(0).interval()).isEqualTo(new Interval(1, 1.5));
    assertThat(values(questions.get(1))).containsExactly(1.0, 4.0);
  }

  @Test
  void otherWorkOnTheMachineDoesNotCount() {
    Stream<Double> busy = Stream.of(9.0, 9.1, 9.2, 9.3, 9.4, 9.5, 9.6);
    assertThat(TrainedRun.quick(Stream.concat(busy, Stream.of(1.0, 1.1, 1.2)))).isEqualTo(1.1);
    assertThat(TrainedRun.quick(Stream.of())).isNaN();
  }

  @Test
  void withoutThatModelTimesHaveUnits() {
    List<Question> questions = questions(run("alibi", 0.5, 2e-6));

    assertThat(questions)
        .extracting(Question::title)
        .containsExactly("step, ms", "forward, µs a token");
    assertThat(Stream.of(0, 1).flatMap(i -> values(questions.get(i)).stream()))
        .containsExactly(500.0, 2.0);
  }

  /** Metrics of older releases tell no time of a validation. */
  @Test
  void unknownTimesAreNoQuestion() {
    assertThat(questions(run("alibi", 0.5, Double.NaN)))
        .extracting(Question::title)
        .containsExactly("step, ms");
  }
}
