package org.lengthwise.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.ConfigException;
import picocli.CommandLine.Option;

final class BosOption {
  @Option(
      names = "--bos",
      paramLabel = "auto|none",
      description =
          "auto reads BOS first if the model was trained so, none never. Same as --set bos=NAME.")
  private @Nullable String bos;

  /** The setting; none if the option is absent. */
  List<String> settings() {
    return bos == null ? List.of() : List.of("bos=" + bos);
  }

  void requireAbsent(String where) {
    if (bos != null) {
      throw new ConfigException("--bos", "no such option " + where, bos, "omit the option");
    }
  }
}
