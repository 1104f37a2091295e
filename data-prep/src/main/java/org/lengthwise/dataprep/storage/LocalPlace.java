package org.lengthwise.dataprep.storage;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * Where on the local disk something grows that belongs elsewhere: below {@code java.io.tmpdir}, the
 * same place whenever the same user names the same URI, and nobody else's.
 */
final class LocalPlace {

  private static final int NAME_DIGITS = 16;

  private LocalPlace() {}

  /** The place for a URI; its parent folder exists. */
  static Path of(String uri) throws IOException {
    String user = System.getProperty("user.name");
    Path parent = Path.of(System.getProperty("java.io.tmpdir"), "lengthwise-" + user);
    makePrivate(parent, user);
    String digest = Sha256.of(uri.getBytes(StandardCharsets.UTF_8));
    return parent.resolve(digest.substring(0, NAME_DIGITS));
  }

  private static void makePrivate(Path folder, String user) throws IOException {
    if (!FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
      Files.createDirectories(folder);
      return;
    }
    FileAttribute<?> ownerOnly =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    Files.createDirectories(folder, ownerOnly);
    String owner = Files.getOwner(folder).getName();
    if (!owner.equals(user)) {
      throw new ConfigException(
          folder.toString(),
          "a folder of the user " + user,
          "one of " + owner,
          "name another temporary folder with LENGTHWISE_OPTS=-Djava.io.tmpdir=FOLDER");
    }
  }
}
