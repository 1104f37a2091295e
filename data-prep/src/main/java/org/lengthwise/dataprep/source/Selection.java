package org.lengthwise.dataprep.source;

import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.lengthwise.error.ConfigException;

/**
 * Which files of the inputs are read, by patterns in glob syntax. A pattern without a slash is for
 * the file's name. A pattern with a slash is for the path below the input folder, where {@code **}
 * also matches slashes.
 *
 * @param include only files that match one of these are read; none includes all files
 * @param exclude files that match one of these are not read
 */
public record Selection(List<String> include, List<String> exclude) {

  public static final Selection ALL = new Selection(List.of(), List.of());

  /** Files beside the data of a published corpus that hold no document. */
  private static final Pattern COMPANION =
      Pattern.compile(
          "(done|readme|licen[cs]e|notice|citation|changelog|sha256sums?|md5sums?|checksums?)(\\..*)?"
              + "|(dataset_infos?|dataset_dict|state|croissant|metadata)\\.json"
              + "|.*\\.(md|md5|sha1|sha256|sha512|py|yaml|yml)");

  public Selection {
    include = List.copyOf(include);
    exclude = List.copyOf(exclude);
    include.forEach(pattern -> matcher("--include", pattern));
    exclude.forEach(pattern -> matcher("--exclude", pattern));
  }

  public boolean accepts(String relative) {
    return (include.isEmpty() || anyMatches(include, relative)) && !anyMatches(exclude, relative);
  }

  static boolean isCompanion(String relative) {
    return COMPANION.matcher(fileName(relative).toLowerCase(Locale.ROOT)).matches();
  }

  private static boolean anyMatches(List<String> patterns, String relative) {
    return patterns.stream()
        .anyMatch(
            pattern ->
                matcher("--include", pattern)
                    .matches(Path.of(pattern.contains("/") ? relative : fileName(relative))));
  }

  private static String fileName(String relative) {
    return relative.substring(relative.lastIndexOf('/') + 1);
  }

  private static PathMatcher matcher(String option, String pattern) {
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + pattern);
    } catch (PatternSyntaxException e) {
      throw new ConfigException(
          option + " " + pattern,
          "a pattern such as *.parquet or data/train-*",
          e.getDescription(),
          "correct the pattern, and quote it for the shell",
          e);
    }
  }
}
