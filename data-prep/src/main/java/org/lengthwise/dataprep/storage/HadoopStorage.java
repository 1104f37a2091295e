package org.lengthwise.dataprep.storage;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.artifact.ArtifactFolder.FolderWriter;

/** Whatever file system Hadoop finds for a URI; {@code core-site.xml} on the class path counts. */
final class HadoopStorage implements Storage {

  /** The mark that a finished artifact folder carries. */
  private static final String DONE = "DONE";

  private final Configuration configuration = new Configuration();

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
  public boolean isDone(String uri) throws IOException {
    return exists(Storage.join(uri, DONE));
  }

  @Override
  public void create(String uri, FolderWriter writer) throws IOException {
    requireFree(uri);
    java.nio.file.Path workspace = Files.createTempDirectory("lengthwise-");
    java.nio.file.Path folder = workspace.resolve("folder");
    try {
      ArtifactFolder.create(folder, writer);
      publish(folder, new Path(uri));
    } finally {
      FileUtil.fullyDelete(workspace.toFile());
    }
  }

  private void requireFree(String uri) throws IOException {
    if (exists(uri)) {
      throw new ConfigException(
          uri,
          "a folder that is not there yet",
          isDone(uri) ? "a finished one" : "something that is no finished artifact",
          "name another folder, or remove this one first");
    }
  }

  /** Copies to a temporary name beside the final one and renames, so that nobody sees a part. */
  private void publish(java.nio.file.Path folder, Path destination) throws IOException {
    FileSystem fileSystem = fileSystem(destination.toString());
    Path temporary = new Path(destination.getParent(), "." + destination.getName() + ".partial");
    fileSystem.delete(temporary, true);
    fileSystem.mkdirs(destination.getParent());
    fileSystem.copyFromLocalFile(new Path(folder.toUri()), temporary);
    if (fileSystem.exists(destination)) { // rename would move the folder into it
      throw new IOException(destination + " came into being while its content was prepared");
    }
    if (!fileSystem.rename(temporary, destination)) {
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
