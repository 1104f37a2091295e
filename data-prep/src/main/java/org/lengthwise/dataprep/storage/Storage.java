package org.lengthwise.dataprep.storage;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.artifact.ArtifactFolder.ResumableWriter;

/** Files and folders by name, on the local disk or on a Hadoop file system. */
public sealed interface Storage permits LocalStorage, HadoopStorage {

  /** A scheme has at least two letters, so that {@code C:\text} stays a path. */
  Pattern REMOTE = Pattern.compile("(?i)(?!file:)[a-z][a-z0-9+.-]+:/.*");

  /**
   * The storage that a name belongs to.
   *
   * @param uri a local path, a {@code file:} URI, or a URI of a scheme known to Hadoop
   * @return the storage; it holds nothing that must be closed
   * @throws ConfigException if it takes Hadoop, and this installation has none
   */
  static Storage of(String uri) {
    if (!isRemote(uri)) {
      return new LocalStorage();
    }
    requireHadoop(uri);
    return new HadoopStorage();
  }

  /**
   * Checks that Hadoop's client is there, which an installation for local work may leave out.
   *
   * @param what what asks for it
   * @throws ConfigException if it is not
   */
  static void requireHadoop(String what) {
    try {
      Class.forName("org.apache.hadoop.fs.FileSystem", false, Storage.class.getClassLoader());
    } catch (ClassNotFoundException e) {
      throw new ConfigException(
          what,
          "an installation with Hadoop's client, or work on local paths",
          "one without it",
          "name a local path, or bundle again with scripts/bundle.sh --with-hadoop",
          e);
    }
  }

  /**
   * Tells a name on a Hadoop file system from one on the local disk.
   *
   * @param uri a local path, a {@code file:} URI, or a URI of another scheme
   * @return whether it is the last of these
   */
  static boolean isRemote(String uri) {
    return REMOTE.matcher(uri).matches();
  }

  /**
   * The place on the local disk that a name stands for.
   *
   * @param name a local path or a {@code file:} URI
   * @return the path
   * @throws ConfigException if it is neither
   */
  static Path localPath(String name) {
    return LocalName.path(name);
  }

  /**
   * Tells whether a file or folder of this name exists.
   *
   * @param uri a name of this storage
   * @return whether something is there
   * @throws IOException if the storage cannot be asked
   */
  boolean exists(String uri) throws IOException;

  /**
   * The file of this name, or all files below the folder of this name at any depth. Files and
   * folders whose name starts with a dot or an underscore are left out of a folder's listing: by
   * custom they hold what programs note for themselves.
   *
   * @param uri the name of an existing file or folder
   * @return the files, sorted by name
   * @throws IOException if the storage cannot be listed
   */
  List<StoredFile> list(String uri) throws IOException;

  /**
   * Opens a file for reading from its beginning.
   *
   * @param uri the name of an existing file
   * @return its bytes
   * @throws IOException if it cannot be opened
   */
  InputStream open(String uri) throws IOException;

  /**
   * Opens a file for reading from any place in it.
   *
   * @param uri the name of an existing file
   * @return its bytes, at the first of them
   * @throws IOException if it cannot be opened
   */
  SeekableByteChannel openChannel(String uri) throws IOException;

  /**
   * Tells whether an artifact folder of this name is finished.
   *
   * @param uri a name of this storage
   * @return whether the folder exists and carries its mark
   * @throws IOException if the storage cannot be asked
   */
  boolean isDone(String uri) throws IOException;

  /**
   * Writes an artifact folder. It is filled on the local disk, in one attempt or several, and comes
   * into being under its name at once and whole, or not at all.
   *
   * @param uri the folder's name, not taken yet by a finished one
   * @param writer fills a local folder with the content, and finds there what an earlier attempt of
   *     this user on this machine left
   * @throws IOException if it cannot be written
   * @throws ConfigException if the name is taken, or another process is writing it
   */
  void create(String uri, ResumableWriter writer) throws IOException;

  /**
   * Names something inside a folder of this storage.
   *
   * @param folder the folder's name
   * @param relative a path below it, with forward slashes
   * @return the joined name
   */
  static String join(String folder, String relative) {
    return folder.endsWith("/") ? folder + relative : folder + "/" + relative;
  }

  /**
   * Tells whether a listing shows a file of this relative path.
   *
   * @param relative a path below the listed folder, with forward slashes
   * @return false if any of its parts is hidden
   */
  static boolean isShown(String relative) {
    return !relative.startsWith(".")
        && !relative.startsWith("_")
        && !relative.contains("/.")
        && !relative.contains("/_");
  }
}
