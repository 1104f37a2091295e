package org.lengthwise.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The resident memory of this process, native memory and Java heap together, as Linux reports it.
 * On other systems every answer is empty.
 */
record ProcessMemory(Path folder) {
  private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
  private static final Pattern PEAK = Pattern.compile("(?m)^VmHWM:\\s+(\\d+) kB$");
  private static final int BYTES_PER_KILOBYTE = 1024;

  /** Written to {@code clear_refs}, it resets the peak; see proc(5). */
  private static final String RESET_PEAK = "5";

  static ProcessMemory own() {
    return new ProcessMemory(Path.of("/proc/self"));
  }

  /** The resident memory in bytes. */
  OptionalLong resident() {
    return read(RESIDENT);
  }

  /** The highest resident memory since {@link #resetPeak}, in bytes. */
  OptionalLong peak() {
    return read(PEAK);
  }

  /** Starts a new peak; false if the kernel does not allow it. */
  boolean resetPeak() {
    try {
      Files.writeString(folder.resolve("clear_refs"), RESET_PEAK);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  private OptionalLong read(Pattern line) {
    try {
      Matcher matcher = line.matcher(Files.readString(folder.resolve("status")));
      return matcher.find()
          ? OptionalLong.of(Long.parseLong(matcher.group(1)) * BYTES_PER_KILOBYTE)
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }
}
