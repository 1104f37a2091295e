package org.lengthwise.dataprep.storage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.artifact.ArtifactFolder.ResumableWriter;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.dataprep.artifact.Workspace;

/** Whatever file system Hadoop finds for a URI; {@code core-site.xml} on the class path counts. */
public final class HadoopStorage implements Storage {

  /** The mark that a finished artifact folder carries. */
  private static final String DONE = "DONE";

  private final Configuration configuration;

  HadoopStorage() {
    this(new Configuration());
  }

  /**
   * A storage of its own configuration, as a task of a job has it.
   *
   * @param configuration what says where file systems are
   */
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
    return exists(Storage.join(uri, DONE));
  }

  @Override
  public void create(String uri, ResumableWriter writer) throws IOException {
    requireFree(uri);
    Path destination = fileSystem(uri).makeQualified(new Path(uri));
    ArtifactFolder.createResumably(
        LocalPlace.of(destination.toString()),
        writer,
        workspace -> publish(workspace, destination));
  }

  private void requireFree(String uri) throws IOException {
    if (exists(uri)) {
      throw taken(uri, isDone(uri) ? "a finished one" : "something that is no finished artifact");
    }
  }

  private static ConfigException taken(String uri, String found) {
    return new ConfigException(
        uri,
        "a folder that is not there yet",
        found,
        "name another folder, or remove this one first");
  }

  /**
   * Copies to a temporary name beside the final one and renames, so that nobody sees a part. The
   * temporary name is the workspace's own, so that writers on several machines do not meet.
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

  /** A name that this workspace has on all attempts and no other workspace has. */
  private static String identity(Workspace workspace) throws IOException {
    java.nio.file.Path note = workspace.notes().resolve("identity");
    if (!Files.exists(note)) {
      String fresh = UUID.randomUUID().toString();
      AtomicFile.write(note, out -> out.write(fresh.getBytes(StandardCharsets.UTF_8)));
    }
    return Files.readString(note);
  }

  /**
   * Gives a finished folder its name. Of several writers that come here at once, HDFS lets one
   * through.
   *
   * @param fileSystem the file system of both
   * @param temporary the folder as it was filled
   * @param destination its name
   * @throws IOException if the file system cannot rename it
   * @throws ConfigException if the name is taken
   */
  public static void rename(FileSystem fileSystem, Path temporary, Path destination)
      throws IOException {
    if (fileSystem instanceof DistributedFileSystem hdfs) {
      try {
        hdfs.rename(temporary, destination, Options.Rename.NONE);
      } catch (FileAlreadyExistsException e) {
        throw taken(destination.toString(), "one that came into being meanwhile");
      }
    } else if (fileSystem.exists(destination)) { // rename would move the folder into it
      throw taken(destination.toString(), "one that came into being meanwhile");
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
