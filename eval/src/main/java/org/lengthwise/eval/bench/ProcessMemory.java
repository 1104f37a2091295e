package org.lengthwise.eval.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The memory that this process holds, natively and in the Java heap together, as Linux accounts for
 * it. Elsewhere there is no answer.
 *
 * @param folder the process's folder, {@code /proc/self}
 */
record ProcessMemory(Path folder) {
  private static final Pattern RESIDENT = Pattern.compile("(?m)^VmRSS:\\s+(\\d+) kB$");
  private static final Pattern PEAK = Pattern.compile("(?m)^VmHWM:\\s+(\\d+) kB$");
  private static final int BYTES_PER_KILOBYTE = 1024;

  /** What makes the kernel forget the peak so far, as proc(5) has it. */
  private static final String FORGET_PEAK = "5";

  static ProcessMemory own() {
    return new ProcessMemory(Path.of("/proc/self"));
  }

  /** What is resident now, in bytes. */
  OptionalLong resident() {
    return read(RESIDENT);
  }

  /** The most that was resident since {@link #forgetPeak}, in bytes. */
  OptionalLong peak() {
    return read(PEAK);
  }

  /** Starts a new peak; false where the kernel does not let us. */
  boolean forgetPeak() {
    try {
      Files.writeString(folder.resolve("clear_refs"), FORGET_PEAK);
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
