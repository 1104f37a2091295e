package org.lengthwise.report;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.lengthwise.report.accuracy.AccuracyPart;
import org.lengthwise.report.accuracy.PasskeyPart;
import org.lengthwise.report.accuracy.RecallPart;
import org.lengthwise.report.form.Looks;
import org.lengthwise.report.form.Part;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.perplexity.PerplexityPart;
import org.lengthwise.report.receptivefield.ReceptiveFieldPart;
import org.lengthwise.report.scoreboard.ScoreboardPart;
import org.lengthwise.report.states.StatesPart;
import org.lengthwise.report.training.TrainedRun;
import org.lengthwise.report.training.TrainingPart;
import org.lengthwise.result.AccuracyResult;
import org.lengthwise.result.FinishedResults;
import org.lengthwise.result.Located;
import org.lengthwise.result.ResultFile;

/**
 * Everything that a report shows. The page, the table files, the picture files and {@code
 * report.json} are made from these parts.
 */
record ReportContent(
    PerplexityPart perplexity,
    TrainingPart training,
    List<Part> parts,
    Looks looks,
    ReportConfig config) {

  /** This is the only list of parts. To show another measurement, add its part here. */
  static ReportContent of(FinishedResults found, List<TrainedRun> trained, ReportConfig config)
      throws IOException {
    PerplexityPart perplexity =
        PerplexityPart.of(found.of(ResultFile.EVALUATIONS), trained, config.ofPerplexity());
    ReceptiveFieldPart fields = ReceptiveFieldPart.of(found.of(ResultFile.RECEPTIVE_FIELDS));
    TrainingPart training =
        new TrainingPart(trained, perplexity.results(), values(found.of(ResultFile.TRIALS)));
    List<AccuracyResult> accuracies = AccuracyPart.distinct(found.of(ResultFile.ACCURACIES));
    double confidence = config.bootstrap().confidence();
    List<Part> measured =
        List.of(
            perplexity,
            new AccuracyPart(accuracies, trained, config.accuracy(), confidence),
            new RecallPart(accuracies, confidence),
            new PasskeyPart(accuracies, confidence),
            new StatesPart(values(found.of(ResultFile.STATES))),
            fields,
            training);
    ScoreboardPart scoreboard = ScoreboardPart.of(measured);
    List<Part> parts = Stream.concat(Stream.of(scoreboard), measured.stream()).toList();
    // Runs with receptive fields have their looks before runs that have an accuracy only.
    List<String> runs =
        Stream.concat(Stream.of(perplexity, fields), parts.stream())
            .flatMap(Part::runs)
            .distinct()
            .toList();
    Looks looks = new Looks(runs, scoreboard.models(), sources(trained));
    return new ReportContent(perplexity, training, parts, looks, config);
  }

  private static Map<String, String> sources(List<TrainedRun> trained) {
    Map<String, String> sources = new HashMap<>();
    trained.forEach(run -> run.source().ifPresent(source -> sources.put(run.run(), source)));
    return sources;
  }

  private static <T> List<T> values(List<Located<T>> found) {
    return found.stream().map(Located::value).toList();
  }

  List<Section> sections() {
    return parts.stream()
        .flatMap(part -> part.sections(looks).stream())
        .filter(section -> !section.blocks().isEmpty())
        .map(Section::panels)
        .toList();
  }

  Map<String, String> files() {
    return parts.stream()
        .flatMap(part -> part.files().entrySet().stream())
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
