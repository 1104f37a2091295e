package org.lengthwise.dataprep.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.lengthwise.artifact.ArtifactFolder.ResumableWriter;
import org.lengthwise.error.ConfigException;

/** Files and folders on the local disk or on a Hadoop file system. */
public sealed interface Storage permits LocalStorage, HadoopStorage {

  /** A scheme has at least two letters, so {@code C:\text} is a path. */
  Pattern REMOTE = Pattern.compile("(?i)(?!file:)[a-z][a-z0-9+.-]+:/.*");

  /**
   * {@return the storage of a name; it needs no closing}
   *
   * @param uri a local path, a {@code file:} URI, or a URI of a scheme known to Hadoop
   */
  static Storage of(String uri) {
    if (!isRemote(uri)) {
      return new LocalStorage();
    }
    requireHadoop(uri);
    return new HadoopStorage();
  }

  /** Requires Hadoop's client, which an installation for local work may omit. */
  static void requireHadoop(String what) {
    try {
      Class.forName("org.apache.hadoop.fs.FileSystem", false, Storage.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new ConfigException(
          what,
          "an installation with Hadoop's client, or a local path",
          "an installation without it",
          "name a local path, or bundle again with scripts/bundle.sh --with-hadoop",
          e);
    }
  }

  /**
   * {@return whether a name is on a Hadoop file system: a URI of a scheme other than {@code file:}}
   */
  static boolean isRemote(String uri) {
    return REMOTE.matcher(uri).matches();
  }

  static Path localPath(String name) {
    return LocalStorage.path(name);
  }

  boolean exists(String uri) throws IOException;

  /**
   * {@return a file, or all files of a folder at any depth, sorted by name} Files and folders whose
   * name starts with a dot or an underscore are skipped, because by custom they hold private notes
   * of programs.
   */
  List<StoredFile> list(String uri) throws IOException;

  InputStream open(String uri) throws IOException;

  SeekableByteChannel openChannel(String uri) throws IOException;

  /** {@return whether a folder is a complete artifact: it holds the marker {@code DONE}} */
  boolean isDone(String uri) throws IOException;

  /**
   * Writes an artifact folder. It is filled on the local disk, in one or more attempts, and gets
   * its name when it is complete.
   *
   * @param writer fills a local folder, which holds the files of earlier attempts of this user on
   *     this machine
   */
  void create(String uri, ResumableWriter writer) throws IOException;

  /** {@return the joined name of a file inside a folder} */
  static String join(String folder, String relative) {
    return folder.endsWith("/") ? folder + relative : folder + "/" + relative;
  }

  /** {@return whether a listing includes a file; false if any part of the path is hidden} */
  static boolean isShown(String relative) {
    return !relative.startsWith(".")
        && !relative.startsWith("_")
        && !relative.contains("/.")
        && !relative.contains("/_");
  }
}
