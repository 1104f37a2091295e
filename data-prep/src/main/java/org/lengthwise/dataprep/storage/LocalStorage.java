package org.lengthwise.dataprep.storage;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.dataprep.artifact.ArtifactFolder;
import org.lengthwise.dataprep.artifact.ArtifactFolder.ResumableWriter;

/** The local disk. */
final class LocalStorage implements Storage {

  @Override
  public boolean exists(String uri) {
    return Files.exists(LocalName.path(uri));
  }

  @Override
  public List<StoredFile> list(String uri) throws IOException {
    Path root = LocalName.path(uri);
    if (!Files.isDirectory(root)) {
      return List.of(new StoredFile(uri, Files.size(root)));
    }
    List<StoredFile> files = new ArrayList<>();
    try (Stream<Path> below = Files.walk(root, FileVisitOption.FOLLOW_LINKS)) {
      for (Path file : (Iterable<Path>) below.filter(Files::isRegularFile)::iterator) {
        String relative = root.relativize(file).toString().replace('\\', '/');
        if (Storage.isShown(relative)) {
          files.add(
              new StoredFile(Storage.join(uri, LocalName.inside(uri, relative)), Files.size(file)));
        }
      }
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    files.sort(Comparator.comparing(StoredFile::uri));
    return files;
  }

  @Override
  public InputStream open(String uri) throws IOException {
    return Files.newInputStream(LocalName.path(uri));
  }

  @Override
  public SeekableByteChannel openChannel(String uri) throws IOException {
    return Files.newByteChannel(LocalName.path(uri));
  }

  @Override
  public boolean isDone(String uri) {
    return ArtifactFolder.isDone(LocalName.path(uri));
  }

  @Override
  public void create(String uri, ResumableWriter writer) throws IOException {
    ArtifactFolder.createResumably(LocalName.path(uri), writer);
  }
}
