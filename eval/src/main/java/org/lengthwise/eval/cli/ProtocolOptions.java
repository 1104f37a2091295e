package org.lengthwise.eval.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.config.LayeredConfig;
import org.lengthwise.eval.perplexity.EvaluationConfig;
import org.lengthwise.eval.perplexity.ProtocolConfig;
import org.lengthwise.eval.result.Protocol;
import picocli.CommandLine.Option;

/** The options by which an evaluation's protocols and their windows are chosen. */
final class ProtocolOptions {
  @Option(
      names = "--protocol",
      split = ",",
      paramLabel = "NAME",
      description = {
        "aligned, independent, sliding-window, non-overlapping or by-position, as conf/protocol",
        "has them, or YAML files of that kind; several are measured one after the other."
      })
  private List<String> protocols = List.of();

  @Option(
      names = "--chunks",
      paramLabel = "N",
      description = "How many places are drawn, for each of the protocols.")
  private @Nullable Integer chunks;

  @Option(
      names = "--within-document",
      description = {
        "Takes windows only where one document holds the longest of them; the same as",
        "--set within_document=true."
      })
  private boolean withinDocument;

  EvaluationConfig resolve(EvaluationOptions options) {
    List<String> settings = new ArrayList<>();
    if (!protocols.isEmpty()) {
      settings.add("protocols=[" + String.join(", ", contents()) + "]");
    }
    if (withinDocument) {
      settings.add("within_document=true");
    }
    EvaluationConfig config = options.resolve(settings);
    return chunks == null ? config : withChunks(config, chunks);
  }

  private List<String> contents() {
    List<String> contents = new ArrayList<>();
    for (String protocol : protocols) {
      LayeredConfig file = ConfigLoader.load(file(protocol), List.of());
      file.bind(ProtocolConfig.class); // what is wrong in it is said with its place
      contents.add(file.tree().toString());
    }
    return contents;
  }

  private static Path file(String protocol) {
    List<String> names = Arrays.stream(Protocol.values()).map(Protocol::label).toList();
    if (names.contains(protocol)) {
      return Installation.conf("protocol/" + protocol + ".yaml");
    }
    if (!Files.isRegularFile(Path.of(protocol))) {
      throw new ConfigException(
          "--protocol",
          "one of %s, or a file".formatted(String.join(", ", names)),
          protocol,
          "correct the name");
    }
    return Path.of(protocol);
  }

  private static EvaluationConfig withChunks(EvaluationConfig config, int chunks) {
    try {
      return config.withChunks(chunks);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "--chunks", "at least 1", String.valueOf(chunks), "name such a number", e);
    }
  }
}
