package org.lengthwise.dataprep.storage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.artifact.ArtifactFolder.ResumableWriter;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.artifact.Workspace;
import org.lengthwise.error.ConfigException;

/**
 * The file system that Hadoop finds for a URI. It reads {@code core-site.xml} on the class path.
 */
public final class HadoopStorage implements Storage {
  private static final int NAME_DIGITS = 16;

  private final Configuration configuration;

  HadoopStorage() {
    this(new Configuration());
  }

  public HadoopStorage(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public boolean exists(String uri) throws IOException {
    return fileSystem(uri).exists(new Path(uri));
  }

  @Override
  public List<StoredFile> list(String uri) throws IOException {
    FileSystem fileSystem = fileSystem(uri);
    FileStatus root = fileSystem.getFileStatus(new Path(uri));
    if (root.isFile()) {
      return List.of(new StoredFile(uri, root.getLen()));
    }
    List<StoredFile> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> below = fileSystem.listFiles(root.getPath(), true);
    while (below.hasNext()) {
      LocatedFileStatus file = below.next();
      String relative = root.getPath().toUri().relativize(file.getPath().toUri()).getPath();
      if (Storage.isShown(relative)) {
        files.add(new StoredFile(Storage.join(uri, relative), file.getLen()));
      }
    }
    files.sort(Comparator.comparing(StoredFile::uri));
    return files;
  }

  @Override
  public InputStream open(String uri) throws IOException {
    return fileSystem(uri).open(new Path(uri));
  }

  @Override
  public SeekableByteChannel openChannel(String uri) throws IOException {
    Path path = new Path(uri);
    FileSystem fileSystem = fileSystem(uri);
    return new HadoopChannel(fileSystem.open(path), fileSystem.getFileStatus(path).getLen());
  }

  @Override
  public boolean isDone(String uri) throws IOException {
    return exists(Storage.join(uri, ArtifactFolder.DONE));
  }

  @Override
  public void create(String uri, ResumableWriter writer) throws IOException {
    requireFree(uri);
    Path destination = fileSystem(uri).makeQualified(new Path(uri));
    ArtifactFolder.createResumably(
        workspaceFolder(destination.toString()),
        writer,
        workspace -> publish(workspace, destination));
  }

  /**
   * The local folder in which the artifact of a URI grows: below {@code java.io.tmpdir}, always the
   * same for the same user and URI. Its parent folder exists and belongs to the user.
   */
  private static java.nio.file.Path workspaceFolder(String uri) throws IOException {
    String user = System.getProperty("user.name");
    java.nio.file.Path parent =
        java.nio.file.Path.of(System.getProperty("java.io.tmpdir"), "lengthwise-" + user);
    makePrivate(parent, user);
    String digest = Sha256.of(uri.getBytes(StandardCharsets.UTF_8));
    return parent.resolve(digest.substring(0, NAME_DIGITS));
  }

  private static void makePrivate(java.nio.file.Path folder, String user) throws IOException {
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
          "a folder of " + owner,
          "name another temporary folder with LENGTHWISE_OPTS=-Djava.io.tmpdir=FOLDER");
    }
  }

  private void requireFree(String uri) throws IOException {
    if (exists(uri)) {
      throw taken(uri, isDone(uri) ? "a finished artifact" : "other files");
    }
  }

  private static ConfigException taken(String uri, String found) {
    return new ConfigException(
        uri,
        "a folder that does not exist",
        found,
        "name another folder, or delete this one first");
  }

  /**
   * Copies to a temporary folder next to the final one and renames it, so readers never see a part.
   * The temporary name is unique to the workspace, so writers on several machines do not collide.
   */
  private void publish(Workspace workspace, Path destination) throws IOException {
    FileSystem fileSystem = fileSystem(destination.toString());
    String name = "." + destination.getName() + "." + identity(workspace) + ".partial";
    Path temporary = new Path(destination.getParent(), name);
    fileSystem.delete(temporary, true);
    try {
      fileSystem.mkdirs(destination.getParent());
      fileSystem.copyFromLocalFile(new Path(workspace.content().toUri()), temporary);
      rename(fileSystem, temporary, destination);
    } finally {
      fileSystem.delete(temporary, true);
    }
  }

  private static String identity(Workspace workspace) throws IOException {
    java.nio.file.Path note = workspace.notes().resolve("identity");
    if (!Files.exists(note)) {
      String fresh = UUID.randomUUID().toString();
      AtomicFile.write(note, out -> out.write(fresh.getBytes(StandardCharsets.UTF_8)));
    }
    return Files.readString(note);
  }

  /**
   * Gives a complete folder its final name. On HDFS, if several writers do this at the same time,
   * one of them succeeds.
   */
  public static void rename(FileSystem fileSystem, Path temporary, Path destination)
      throws IOException {
    if (fileSystem instanceof DistributedFileSystem hdfs) {
      try {
        hdfs.rename(temporary, destination, Options.Rename.NONE);
      } catch (FileAlreadyExistsException e) {
        throw taken(destination.toString(), "a folder that another process has just created");
      }
    } else if (fileSystem.exists(
        destination)) { // rename would move the folder into the existing one
      throw taken(destination.toString(), "a folder that another process has just created");
    } else if (!fileSystem.rename(temporary, destination)) {
      throw new IOException("could not rename " + temporary + " to " + destination);
    }
  }

  private FileSystem fileSystem(String uri) throws IOException {
    try {
      return new Path(uri).getFileSystem(configuration);
    } catch (IllegalArgumentException e) {
      FileNotFoundException missing = new FileNotFoundException(uri + ": " + e.getMessage());
      missing.initCause(e);
      throw missing;
    }
  }
}
