package org.lengthwise.report.accuracy;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.lengthwise.report.form.Groups;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.Question;
import org.lengthwise.report.form.Question.Answer;
import org.lengthwise.report.form.Question.Reference;
import org.lengthwise.report.form.RunName;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.RecallScore;

/**
 * The scores of one task with one choice of settings, besides the depth of a needle.
 *
 * @param title the task, and the settings that other groups of the task do not have
 */
record RecallGroup(String title, AccuracyMean all, Set<AccuracyResult> learned) {
  private record Key(String task, ObjectNode settings) {}

  static List<RecallGroup> of(List<RecallScore> scores) {
    Map<Key, List<RecallScore>> groups = scores.stream().collect(Groups.by(RecallGroup::key));
    return groups.entrySet().stream()
        .map(
            group ->
                new RecallGroup(
                    title(group.getKey(), groups.keySet()),
                    new AccuracyMean(group.getValue().stream().map(RecallScore::line).toList()),
                    group.getValue().stream()
                        .filter(RecallScore::isLearned)
                        .map(RecallScore::line)
                        .collect(Collectors.toSet())))
        .toList();
  }

  private static Key key(RecallScore score) {
    ObjectNode settings = score.line().strings().settings().deepCopy();
    settings.remove("depth");
    return new Key(score.line().strings().task(), settings);
  }

  private static String title(Key key, Set<Key> groups) {
    String own =
        key.settings.properties().stream()
            .filter(
                setting ->
                    groups.stream()
                        .filter(other -> other.task.equals(key.task))
                        .anyMatch(
                            other ->
                                !setting.getValue().equals(other.settings.get(setting.getKey()))))
            .map(setting -> ", " + setting.getKey() + " " + setting.getValue().asText())
            .collect(Collectors.joining());
    return key.task + own;
  }

  String file() {
    return title.replaceAll("[^A-Za-z0-9._]+", "-");
  }

  /** The results of each run and seed, a line of all charts. */
  List<AccuracyMean> models() {
    return all.by(one -> List.of(one.run(), one.subject().seed())).stream()
        .sorted(Comparator.comparing(AccuracyMean::run, RunName.paperFirst()))
        .toList();
  }

  String heading(AccuracyMean model) {
    return RunName.heading(RunName.withoutSubject(model.run(), model.task()))
        + (all.seeds().size() > 1 ? ", seed " + model.any().subject().seed() : "");
  }

  boolean isLearned(AccuracyMean model) {
    return learned.containsAll(model.results());
  }

  /** The right tokens at the longest length, the mean over depths. */
  Question question(double confidence) {
    int longest = longest();
    Map<String, List<AccuracyMean>> byRun =
        models().stream()
            .filter(model -> model.lengths().contains(longest))
            .collect(Groups.by(AccuracyMean::run));
    List<Answer> answers =
        byRun.entrySet().stream()
            .map(
                run ->
                    Answer.of(
                        run.getKey(),
                        run.getValue(),
                        this::isLearned,
                        model -> model.at(longest).tokenShare(),
                        model -> model.at(longest).tokenInterval(confidence)))
            .toList();
    AccuracyMean one = byRun.values().iterator().next().get(0).at(longest);
    AccuracyResult any = one.any();
    List<Reference> references = new ArrayList<>();
    references.add(new Reference("guess", any.share(RecallScore.TOKENS).chance()));
    for (int i = 0; i < any.baselines().size(); i++) {
      int rule = i;
      double share = one.mean(each -> each.of(each.baselines().get(rule), RecallScore.TOKENS));
      references.add(new Reference(any.baselines().get(rule).name(), share));
    }
    return new Question(
        all.task(),
        title + ", " + Numbers.count(longest),
        Question.Measure.RECALL,
        answers,
        references);
  }

  int longest() {
    return all.lengths().get(all.lengths().size() - 1);
  }
}
