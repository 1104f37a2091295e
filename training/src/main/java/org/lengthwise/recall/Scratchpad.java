package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.lengthwise.automaton.Automaton;
import org.lengthwise.automaton.PaperTask;
import org.lengthwise.config.Checks;

/**
 * The symbols of a regular task, each followed by the label of the string so far. The last label is
 * not read, T = 2n - 1. Ids: symbols from 0, then labels. Each label needs only the label before it
 * and its own symbol. Source: Chi et al., Findings of EMNLP 2023, section 2.2, after Anil et al.,
 * "Exploring Length Generalization in Large Language Models", NeurIPS 2022.
 *
 * @param lengths the shortest and the longest training length n in symbols
 * @param of a task of the paper whose strings all have a label, such as parity_check
 */
@JsonTypeName("scratchpad")
public record Scratchpad(List<Integer> lengths, String of) implements DrawnTask {
  public Scratchpad {
    lengths = Form.range(lengths, length -> length >= 1, "1 or more");
    List<String> complete =
        Arrays.stream(PaperTask.values())
            .filter(task -> !task.automaton().labels().contains(Automaton.NONE))
            .map(PaperTask::label)
            .toList();
    Checks.oneOf("of", of, complete);
  }

  private Automaton automaton() {
    return PaperTask.named(of).automaton();
  }

  @Override
  public Form form() {
    Automaton automaton = automaton();
    int numSymbols = automaton.numSymbols();
    return new Form(
        "the label of the string so far (Chi et al. 2023)",
        numSymbols + automaton.numLabels(),
        1.0 / automaton.numLabels(),
        length -> length >= 1,
        length -> 2 * length - 1,
        List.of(
            new Baseline(
                "the label before", (string, t) -> t == 0 ? numSymbols : string.ids()[t - 1])));
  }

  @Override
  public int[] draw(int length, Stream stream, Random random) {
    Automaton automaton = automaton();
    int[] ids = new int[2 * length];
    int state = 0;
    for (int t = 0; t < ids.length; t += 2) {
      ids[t] = random.nextInt(automaton.numSymbols());
      state = automaton.next(state, ids[t]);
      ids[t + 1] = automaton.numSymbols() + automaton.labels().get(state);
    }
    return Arrays.copyOf(ids, ids.length - 1);
  }

  @Override
  public RecallString label(int[] ids) {
    Automaton automaton = automaton();
    Answers answers = new Answers(ids);
    answers.require(ids.length % 2 == 1, ids.length, "an odd length");
    int state = 0;
    for (int t = 0; t < ids.length; t += 2) {
      answers.require(answers.isIn(t, 0, automaton.numSymbols()), t, "a symbol");
      state = automaton.next(state, ids[t]);
      int label = automaton.numSymbols() + automaton.labels().get(state);
      answers.ask(t, label, Math.max(0, t - 1));
      answers.require(
          t == ids.length - 1 || ids[t + 1] == label, t + 1, "the label of the string so far");
    }
    return answers.string();
  }
}
