package org.lengthwise.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.LayeredConfig;
import org.lengthwise.measure.Lengths;
import org.lengthwise.measure.MeasurementSettings;
import org.lengthwise.measure.toy.Toy;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.report.ReportConfig;

/** A toy measurement, made as CONTRIBUTING says, in an experiment and in its report. */
class ToyMeasurementIT {
  private static final Path CONF = Path.of("../conf").toAbsolutePath().normalize();

  @TempDir private Path folder;

  @Test
  void aNewKindOfShareIsMeasuredByRunAndShownByTheReport() throws IOException {
    Path file =
        Files.writeString(
            folder.resolve("toy.yaml"),
            """
            extends: [%s/regular/parity-regulargpt-2.yaml]
            experiment:
              columns: [{name: tree}]
              seeds: [1, 2]
              measurements:
                - {kind: accuracy, lengths: [5], samples: 2, negatives: [uniform], p: [0.5], seed: 1,
                   memory_limit_megabytes: 64, precision: float32, device: cpu}
            """
                .formatted(CONF));
    LayeredConfig whole =
        ConfigLoader.load(
            file,
            List.of(
                "task.lengths=[1, 6]",
                "model.width=16",
                "model.heads=2",
                "training.batch=8",
                "training.micro_batch=8",
                "training.steps=1",
                "training.validation.sequences=8"));
    ExperimentConfig listed = ExperimentConfig.of(whole);
    Toy toy =
        new Toy(
            Lengths.of(List.of("5", "2x")), new MeasurementSettings(64, Precision.FLOAT32, "cpu"));
    Experiment experiment =
        Experiment.load(
            file,
            whole,
            new ExperimentConfig(
                null, listed.columns(), List.of(), listed.seeds(), null, List.of(toy)),
            List.of());

    List<String> runs = List.copyOf(experiment.runs().keySet());
    assertThat(experiment.complete(runs, folder, () -> false)).isTrue();
    ReportConfig reporting =
        ConfigLoader.load(CONF.resolve("report.yaml"), List.of()).bind(ReportConfig.class);
    Path report = experiment.report(folder, reporting);

    assertThat(folder.resolve("runs/tree-seed2/toy/accuracy.jsonl"))
        .content()
        .contains("\"metric\":\"toy\"", "{\"of\":\"even numbers\",\"right\":2,\"count\":5,");
    assertThat(report.resolve("table.md")).content().contains("| tree | numbers |", "6 of 10");
    assertThat(report.resolve("accuracy.csv"))
        .content()
        .contains("tree,regulargpt,2,numbers,,,5,5,3,");
  }
}
