package org.lengthwise.artifact;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The machine on which a command ran. Equal builds, versions of Java, processors and threads give
 * equal digits.
 *
 * @param processor the architecture, the maker and the vector instructions, by which libraries
 *     choose their kernels
 * @param threads the threads of an operator; null if the command computed no tensors
 */
public record Machine(
    String host, String model, String processor, String java, @Nullable Integer threads) {
  private static final Pattern VECTORS = Pattern.compile("\\b(avx|amx|fma|sve|asimd)\\w*");

  public static Machine current(@Nullable Integer threads) {
    return of(read("/proc/sys/kernel/hostname").strip(), read("/proc/cpuinfo"), threads);
  }

  /**
   * {@return a machine by the facts of its first processor}
   *
   * @param facts lines {@code NAME : VALUE} as in Linux's /proc/cpuinfo; empty if not known
   */
  static Machine of(String host, String facts, @Nullable Integer threads) {
    TreeSet<String> vectors = new TreeSet<>();
    VECTORS
        .matcher(fact("flags|Features", facts))
        .results()
        .forEach(one -> vectors.add(one.group()));
    String kind = System.getProperty("os.arch") + " " + fact("vendor_id", facts);
    String processor = (kind + " " + String.join(" ", vectors)).replaceAll(" +", " ").strip();
    String java = Runtime.version().toString();
    return new Machine(host, fact("model name", facts), processor, java, threads);
  }

  private static String fact(String name, String facts) {
    Matcher fact = Pattern.compile("(?m)^(?:%s)\\s*: (.*)$".formatted(name)).matcher(facts);
    return fact.find() ? fact.group(1) : "";
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file));
    } catch (IOException e) {
      return ""; // not Linux
    }
  }

  /** {@return the lines of {@code --version}} */
  public List<String> version(BuildInfo build) {
    return List.of(
        "lengthwise " + build.version(),
        "commit " + build.commit() + (build.dirty() ? " with uncommitted changes" : ""),
        "java " + java,
        "processor " + processor);
  }
}
