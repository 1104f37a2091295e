package org.lengthwise.experiment;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.lengthwise.measure.ExperimentRun;
import org.lengthwise.measure.ExperimentRun.Trained;

/**
 * The searches of an experiment; none if its file has no key {@code search}.
 *
 * @param byRun the search for the settings of runs, by the name of the runs without a seed
 * @param trials each trial by its name
 */
record Searches(Map<String, Search> byRun, Map<String, Trial> trials) {
  static Searches of(Map<String, Search> byRun) {
    Map<String, Trial> trials = new LinkedHashMap<>();
    byRun.values().forEach(one -> one.trials().forEach(trial -> trials.put(trial.name(), trial)));
    return new Searches(byRun, trials);
  }

  boolean isTrial(String name) {
    return trials.containsKey(name);
  }

  /**
   * The names in groups: a group starts when the one before is finished. Trials are the first one.
   *
   * @param stage the number of runs that a run starts from, one from the other
   */
  List<List<String>> inTurn(List<String> names, ToIntFunction<String> stage) {
    Map<Integer, List<String>> groups =
        names.stream()
            .collect(
                groupingBy(
                    name -> isTrial(name) ? -1 : stage.applyAsInt(name), TreeMap::new, toList()));
    return List.copyOf(groups.values());
  }

  /** The run as it is trained: with the settings of the chosen trial if there is a search. */
  ExperimentRun chosen(ExperimentRun run, Path output) throws IOException {
    Search search = byRun.get(run.name());
    return search == null ? run : search.chosen(run.seed(), output);
  }

  /** Whether the trials that choose the settings of a run are finished, if there are any. */
  boolean areFinished(ExperimentRun run, Path output) {
    Search search = byRun.get(run.name());
    return search == null || search.trials().stream().allMatch(trial -> trial.isFinished(output));
  }

  /** The named trials of each search, as trainings. */
  List<List<ExperimentRun>> trainings(List<String> names) {
    return names.stream()
        .flatMap(name -> Stream.ofNullable(trials.get(name)))
        .collect(groupingBy(Trial::run, LinkedHashMap::new, toList()))
        .values()
        .stream()
        .map(group -> group.stream().<ExperimentRun>map(one -> new Trained(one.config())).toList())
        .toList();
  }

  /** The folders of the results of all trials. */
  Stream<Path> results(Path output) {
    return trials.values().stream().map(trial -> trial.results(output));
  }
}
