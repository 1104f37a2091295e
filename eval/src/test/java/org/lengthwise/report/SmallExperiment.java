package org.lengthwise.report;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.result.ResultFile;
import org.lengthwise.result.Samples;
import org.lengthwise.statistics.AccuracyRule;
import org.lengthwise.statistics.Bootstrap;
import org.lengthwise.statistics.ContextRule;
import org.lengthwise.statistics.DocumentEndRule;
import org.lengthwise.statistics.PowerRule;
import org.lengthwise.statistics.VerdictRule;
import org.lengthwise.statistics.WordRule;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.config.TrainingConfig;
import org.lengthwise.training.loop.Metrics;

/**
 * Synthetic results of an experiment: six schemes, two seeds, two protocols, and receptive fields
 * at two lengths.
 */
final class SmallExperiment {
  private static final Map<String, Map<Integer, Double>> PERPLEXITIES =
      Map.of(
          "alibi", Map.of(128, 5.0, 256, 5.01, 512, 5.02, 1024, 5.0, 2048, 5.0),
          "kerple-log", Map.of(128, 4.9, 256, 4.9, 512, 4.95, 1024, 5.0, 2048, 5.0),
          "regulargpt-32-2", Map.of(128, 6.1, 256, 6.1, 512, 6.1, 1024, 6.1, 2048, 6.1),
          "regulargpt-64-2", Map.of(128, 6.2, 256, 6.2, 512, 6.2, 1024, 6.2, 2048, 6.2),
          "t5", Map.of(128, 5.5, 256, 6.0, 512, 7.0, 1024, 9.0, 2048, 9.0),
          "regulargpt-16-2", Map.of(128, 6.0, 256, 6.0, 512, 60.0, 1024, 61.0, 2048, 61.0));

  static final ReportConfig CONFIG =
      new ReportConfig(
          new Bootstrap(500, 0.95, 2023),
          new VerdictRule(1.05, 2),
          new WordRule(1.01),
          new AccuracyRule(99.95, 2.5),
          new ContextRule(null, 0.5),
          new DocumentEndRule(null, 64),
          new PowerRule(1.02, 0.8),
          List.of());

  private SmallExperiment() {}

  static void write(Path folder) throws IOException {
    Files.createDirectories(folder);
    for (Map.Entry<String, Map<Integer, Double>> run : PERPLEXITIES.entrySet()) {
      for (long seed = 1; seed <= 2; seed++) {
        Path runFolder = folder.resolve(run.getKey() + "-seed" + seed);
        writeTraining(runFolder, run.getKey(), seed);
        Samples.write(runFolder.resolve("evaluation"), run.getKey(), seed, run.getValue());
        Samples.writeByPosition(
            runFolder.resolve("positions"), run.getKey(), seed, 512, 1.5 + 0.1 * seed);
      }
    }
    ArtifactFolder.create(
        folder.resolve("field"),
        field ->
            ResultFile.RECEPTIVE_FIELDS.write(
                field,
                List.of(
                    Samples.receptiveField("alibi", 1, 128, 30, 100),
                    Samples.receptiveField("alibi", 1, 512, 30, 300),
                    Samples.limitedField("regulargpt-16-2", 1, 512, 20, 256))));
  }

  private static void writeTraining(Path folder, String run, long seed) throws IOException {
    Files.createDirectories(folder.resolve("checkpoints"));
    ObjectMapper mapper = ConfigLoader.strictMapper();
    TrainingConfig config =
        ConfigLoader.load(
                Path.of("../conf/train/alibi.yaml"), List.of("name=" + run, "seed=" + seed))
            .bind(TrainingConfig.class);
    ArtifactFolder.create(
        folder.resolve("checkpoints/step-00000300"),
        checkpoint ->
            mapper.writeValue(
                checkpoint.resolve("config.json").toFile(),
                new RunDescription(
                    RunDescription.FORMAT_VERSION,
                    config.modelConfig(257),
                    config,
                    new DataIdentity(
                        new TokenizerIdentity("bytes", Samples.DATA, 257, 256), Samples.DATA),
                    BuildInfo.current())));
    List<String> metrics = new ArrayList<>();
    for (int step = 10; step <= 300; step += 10) {
      double loss = 2 + 30.0 / step + 0.01 * seed;
      metrics.add(
          mapper.writeValueAsString(
              new Metrics.Training(
                  step, 2048L * step, loss, 1e-3, 1.0, 20_000, null, 0.1, 0.0, 0.0, 0.0, null)));
      if (step % 100 == 0) {
        metrics.add(
            mapper.writeValueAsString(
                new Metrics.Validation(step, 2048L * step, "nll", loss + 0.1, 8192)));
      }
    }
    Files.write(folder.resolve("metrics.jsonl"), metrics);
  }
}
