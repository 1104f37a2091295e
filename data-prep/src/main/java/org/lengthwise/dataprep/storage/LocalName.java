package org.lengthwise.dataprep.storage;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.lengthwise.dataprep.ConfigException;

/** Names of files and folders on the local disk: paths, and {@code file:} URIs. */
final class LocalName {

  /** Two letters at least, so that a drive letter is not taken for a scheme. */
  private static final Pattern WITH_SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

  private static final Pattern FILE_URI = Pattern.compile("(?i)file:.*");

  private LocalName() {}

  static boolean isFileUri(String name) {
    return FILE_URI.matcher(name).matches();
  }

  /** The path that a name stands for; {@code file:/x} and {@code file://localhost/x} are /x. */
  static Path path(String name) {
    try {
      if (isFileUri(name)) {
        return pathOf(new URI(name));
      }
      if (!WITH_SCHEME.matcher(name).matches()) {
        return Path.of(name);
      }
    } catch (URISyntaxException | InvalidPathException e) {
      throw new ConfigException(
          name,
          "a local path or a file: URI",
          String.valueOf(e.getMessage()),
          "escape special characters, a space as %20, or give the path without file:",
          e);
    }
    throw new ConfigException(
        name,
        "a local path, a file: URI, or a URI such as hdfs://host/path",
        "a scheme without a path from its root",
        "put a slash behind the colon, or ./ before a path that has one");
  }

  private static Path pathOf(URI uri) throws URISyntaxException {
    String host = uri.getAuthority();
    boolean here = host == null || host.equalsIgnoreCase("localhost");
    if (uri.getPath() == null || !here || uri.getQuery() != null || uri.getFragment() != null) {
      throw new URISyntaxException(uri.toString(), "more or less than a path of this machine");
    }
    return Path.of(uri.getPath());
  }

  /** A relative path as it is spelled within the name of a folder. */
  static String inside(String folder, String relative) {
    if (!isFileUri(folder)) {
      return relative;
    }
    try {
      return new URI(null, null, "/" + relative, null).getRawPath().substring(1);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("every path can be escaped", e);
    }
  }
}
