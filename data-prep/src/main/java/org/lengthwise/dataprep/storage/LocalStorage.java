package org.lengthwise.dataprep.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.ArtifactFolder.ResumableWriter;
import org.lengthwise.error.ConfigException;

/** The local disk. Names are paths or {@code file:} URIs. */
final class LocalStorage implements Storage {
  /** At least two letters, because one letter is a drive. */
  private static final Pattern WITH_SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]+:.*");

  private static final Pattern FILE_URI = Pattern.compile("(?i)file:.*");

  @Override
  public boolean exists(String uri) {
    return Files.exists(path(uri));
  }

  @Override
  public List<StoredFile> list(String uri) throws IOException {
    Path root = path(uri);
    if (!Files.isDirectory(root)) {
      return List.of(new StoredFile(uri, Files.size(root)));
    }
    List<StoredFile> files = new ArrayList<>();
    try (Stream<Path> below = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
      for (Path file : (Iterable<Path>) below.filter(LocalStorage::isFileOrLink)::iterator) {
        String relative = root.relativize(file).toString().replace('\\', '/');
        if (Storage.isShown(relative)) {
          long bytes = Files.exists(file) ? Files.size(file) : StoredFile.LINK_WITHOUT_FILE;
          files.add(new StoredFile(Storage.join(uri, inside(uri, relative)), bytes));
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    files.sort(Comparator.comparing(StoredFile::uri));
    return files;
  }

  private static boolean isFileOrLink(Path file) {
    return Files.isRegularFile(file) || (Files.isSymbolicLink(file) && !Files.exists(file));
  }

  @Override
  public InputStream open(String uri) throws IOException {
    return Files.newInputStream(path(uri));
  }

  @Override
  public SeekableByteChannel openChannel(String uri) throws IOException {
    return Files.newByteChannel(path(uri));
  }

  @Override
  public boolean isDone(String uri) {
    return ArtifactFolder.isDone(path(uri));
  }

  @Override
  public void create(String uri, ResumableWriter writer) throws IOException {
    ArtifactFolder.createResumably(path(uri), writer);
  }

  static boolean isFileUri(String name) {
    return FILE_URI.matcher(name).matches();
  }

  /** The path of a name; {@code file:/x} and {@code file://localhost/x} are /x. */
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
        "a scheme without an absolute path",
        "write a slash after the colon, or ./ before a path with a colon");
  }

  private static Path pathOf(URI uri) throws URISyntaxException {
    String host = uri.getAuthority();
    boolean here = host == null || host.equalsIgnoreCase("localhost");
    if (uri.getPath() == null || !here || uri.getQuery() != null || uri.getFragment() != null) {
      throw new URISyntaxException(uri.toString(), "not a path of this machine");
    }
    return Path.of(uri.getPath());
  }

  static String inside(String folder, String relative) {
    if (!isFileUri(folder)) {
      return relative;
    }
    try {
      return new URI(null, null, "/" + relative, null).getRawPath().substring(1);
    } catch (URISyntaxException e) {
      throw new IllegalStateException("each path can be escaped", e);
    }
  }
}
