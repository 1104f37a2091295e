package org.lengthwise.cli;

import java.nio.file.Path;
import org.lengthwise.error.ConfigException;

/** The configuration files of this installation. */
final class Installation {
  private static final String HOME = "lengthwise.home";

  private Installation() {}

  static Path conf(String file) {
    String home = System.getProperty(HOME);
    if (home == null) {
      throw new ConfigException(
          "system property " + HOME,
          "the folder that holds conf/",
          "nothing",
          "start the program with scripts/lengthwise, or name the file with --config");
    }
    return Path.of(home, "conf", file);
  }
}
