package org.lengthwise.report.recall;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Collectors;
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
record RecallGroup(String title, List<RecallScore> scores) {
  private static final String DEPTH = "depth";

  /** A run and a seed, a line of all charts. */
  record Model(String run, String task, long seed) {
    String heading(boolean hasSeeds) {
      return RunName.heading(RunName.withoutSubject(run, task))
          + (hasSeeds ? ", seed " + seed : "");
    }
  }

  private record Key(String task, ObjectNode settings) {}

  static List<RecallGroup> of(List<RecallScore> scores) {
    Map<Key, List<RecallScore>> groups =
        scores.stream()
            .collect(
                Collectors.groupingBy(RecallGroup::key, LinkedHashMap::new, Collectors.toList()));
    return groups.entrySet().stream()
        .map(group -> new RecallGroup(title(group.getKey(), groups), group.getValue()))
        .toList();
  }

  private static Key key(RecallScore score) {
    ObjectNode settings = settings(score).deepCopy();
    settings.remove(DEPTH);
    return new Key(score.line().strings().task(), settings);
  }

  private static ObjectNode settings(RecallScore score) {
    return Objects.requireNonNull(score.line().strings().draw().settings());
  }

  private static String title(Key key, Map<Key, List<RecallScore>> groups) {
    String own =
        key.settings.properties().stream()
            .filter(
                setting ->
                    groups.keySet().stream()
                        .filter(other -> other.task.equals(key.task))
                        .anyMatch(
                            other ->
                                !setting.getValue().equals(other.settings.get(setting.getKey()))))
            .map(setting -> ", " + setting.getKey() + " " + setting.getValue().asText())
            .collect(Collectors.joining());
    return key.task + own;
  }

  /** The title as a part of a file's name. */
  String file() {
    return title.replaceAll("[^A-Za-z0-9._]+", "-");
  }

  List<Model> models() {
    return scores.stream()
        .map(
            score ->
                new Model(
                    score.line().run(),
                    score.line().strings().task(),
                    score.line().subject().seed()))
        .distinct()
        .sorted(Comparator.comparing(Model::run, RunName.paperFirst()))
        .toList();
  }

  boolean hasSeeds() {
    return models().stream().map(Model::seed).distinct().count() > 1;
  }

  List<Integer> lengths() {
    return scores.stream()
        .map(score -> score.line().strings().length())
        .distinct()
        .sorted()
        .toList();
  }

  /** The depths of the needle in ascending order; none for other tasks. */
  TreeSet<Double> depths() {
    TreeSet<Double> depths = new TreeSet<>();
    scores.stream()
        .filter(score -> settings(score).has(DEPTH))
        .forEach(score -> depths.add(settings(score).get(DEPTH).asDouble()));
    return depths;
  }

  /** The scores of a model at a length, one for each depth. */
  List<RecallScore> at(Model model, int length) {
    return scores.stream()
        .filter(score -> score.line().run().equals(model.run()))
        .filter(score -> score.line().subject().seed() == model.seed())
        .filter(score -> score.line().strings().length() == length)
        .toList();
  }

  /** The scores of one of the models that were measured at a length. */
  List<RecallScore> ofAnyModel(int length) {
    return models().stream()
        .map(model -> at(model, length))
        .filter(found -> !found.isEmpty())
        .findFirst()
        .orElseThrow();
  }

  /** The string accuracy of a model at a length and a depth; NaN if it was not measured. */
  double at(Model model, int length, double depth) {
    return at(model, length).stream()
        .filter(score -> settings(score).path(DEPTH).asDouble(Double.NaN) == depth)
        .mapToDouble(score -> score.line().accuracy())
        .findFirst()
        .orElse(Double.NaN);
  }

  /** The right tokens at the longest length, the mean over depths. */
  Question question(double confidence) {
    int longest = lengths().get(lengths().size() - 1);
    Map<String, List<Model>> byRun =
        models().stream()
            .filter(model -> !at(model, longest).isEmpty())
            .collect(Collectors.groupingBy(Model::run, LinkedHashMap::new, Collectors.toList()));
    List<Answer> answers =
        byRun.entrySet().stream()
            .map(
                run ->
                    Answer.of(
                        run.getKey(),
                        run.getValue(),
                        this::isLearned,
                        model -> meanAt(model, longest),
                        model -> at(model, longest).get(0).tokenInterval(confidence)))
            .toList();
    RecallScore any = at(byRun.values().iterator().next().get(0), longest).get(0);
    List<Reference> references = new ArrayList<>();
    references.add(new Reference("guess", any.details().chance()));
    any.details()
        .baselines()
        .forEach(
            rule ->
                references.add(
                    new Reference(rule.rule(), 1 - (double) rule.tokens() / any.tokens().count())));
    return new Question(
        any.line().strings().task(),
        title + ", " + Numbers.count(longest),
        Question.Measure.RECALL,
        answers,
        references);
  }

  private double meanAt(Model model, int length) {
    return at(model, length).stream()
        .mapToDouble(score -> score.tokens().accuracy())
        .average()
        .orElseThrow();
  }

  boolean isLearned(Model model) {
    return scores.stream()
        .filter(score -> score.line().run().equals(model.run()))
        .filter(score -> score.line().subject().seed() == model.seed())
        .allMatch(RecallScore::isLearned);
  }

  /** T_tr of the models. */
  List<Integer> trainLengths() {
    return scores.stream()
        .map(RecallScore::line)
        .map(AccuracyResult::subject)
        .map(subject -> subject.trainLength())
        .distinct()
        .sorted()
        .toList();
  }
}
