package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.AppendedFile.Mark;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.storage.StoredFile;

/** All files that a run reads, found and recognised before the first of them is opened. */
public final class Corpus {

  private static final String CHECK_PATH = "check the path, and that this user may read it";

  private final List<InputFile> files;

  private Corpus(List<InputFile> files) {
    this.files = List.copyOf(files);
  }

  /**
   * Finds the files that the inputs stand for.
   *
   * @param inputs files and folders, as local paths or URIs
   * @return the files, in the order of the inputs and sorted by name within a folder
   * @throws ConfigException if an input does not exist or cannot be listed
   * @throws DataFormatException if a file's extension is unknown, or there is no file at all
   */
  public static Corpus find(List<String> inputs) {
    List<InputFile> files = new ArrayList<>();
    for (String input : inputs) {
      Storage storage = Storage.of(input);
      for (StoredFile file : list(storage, input)) {
        FileKind kind = FileKind.of(file.uri()).orElseThrow(() -> unknownExtension(file));
        files.add(
            new InputFile(storage, file.uri(), portableName(input, file), file.bytes(), kind));
      }
    }
    if (files.isEmpty()) {
      throw new DataFormatException(
          String.join(",", inputs),
          "files of documents",
          "folders without any (hidden files do not count)",
          "name the folder or the files that hold the text");
    }
    return new Corpus(files);
  }

  /**
   * The length of all files together, packed as they lie there.
   *
   * @return a number of bytes
   */
  public long numBytes() {
    return files.stream().mapToLong(InputFile::bytes).sum();
  }

  /**
   * The files, by name and length as they were found.
   *
   * @return the files, in the order in which they are read
   */
  public List<StoredFile> files() {
    return files.stream().map(file -> new StoredFile(file.uri(), file.bytes())).toList();
  }

  /**
   * Reads the documents of all files from a place on. What lies before the place is read too, for
   * its digest, but not taken apart.
   *
   * @param documentByteLimit the length in bytes beyond which a document is not taken in
   * @param sink takes the documents
   * @param start where an earlier reading stopped; {@link Place#startOf} file 0 for all documents
   * @param before what the files before that one held; they are refused if they hold anything else
   * @param listener is told how far the reading is
   * @throws DataFormatException if a file cannot be read to its end, or is not what it was
   */
  public void read(
      int documentByteLimit,
      DocumentSink sink,
      Place start,
      List<InputEntry> before,
      ReadingListener listener) {
    long total = 0;
    for (int i = 0; i < files.size(); i++) {
      InputFile file = files.get(i);
      long totalBefore = total;
      LongConsumer bytes = count -> listener.bytesRead(totalBefore + count);
      if (i < start.file()) {
        requireSame(file, before.get(i), bytes);
      } else {
        Place from = i == start.file() ? start : Place.startOf(i);
        FileReading reading = new FileReading(file, from, documentByteLimit, sink, listener);
        listener.fileRead(open(file, from.content(), bytes, reading::read));
      }
      total += file.bytes();
    }
  }

  /**
   * Tells whether these are the files that an earlier run read, by name, length and content.
   *
   * @param earlier what the earlier run read
   * @param bytesRead is told how many bytes were read so far, of {@link #numBytes}
   * @return whether reading them again would give the same
   */
  public boolean matches(List<InputEntry> earlier, LongConsumer bytesRead) {
    if (files.size() != earlier.size()) {
      return false;
    }
    for (int i = 0; i < files.size(); i++) {
      InputFile file = files.get(i);
      if (!file.uri().equals(earlier.get(i).uri()) || file.bytes() != earlier.get(i).bytes()) {
        return false;
      }
    }
    long total = 0;
    for (int i = 0; i < files.size(); i++) {
      long totalBefore = total;
      LongConsumer bytes = count -> bytesRead.accept(totalBefore + count);
      InputEntry entry = open(files.get(i), Place.NOTHING, bytes, stream -> {});
      if (!entry.equals(earlier.get(i))) {
        return false;
      }
      total += entry.bytes();
    }
    return true;
  }

  private static void requireSame(InputFile file, InputEntry before, LongConsumer bytes) {
    InputEntry now = open(file, Place.NOTHING, bytes, stream -> {});
    if (!now.equals(before)) {
      throw DigestingInputStream.changed(file.uri(), "other content than before");
    }
  }

  /**
   * The files, each as one part.
   *
   * @return in the order of reading
   */
  public List<Part> wholeFiles() {
    return files.stream().map(Part::of).toList();
  }

  /**
   * The smallest parts that can be read by themselves: the entries of a tar that is not compressed,
   * and every other file. Finding the entries reads the tar's headers, so it takes a while.
   *
   * @return in the order of reading; none for a tar without files
   * @throws DataFormatException if a tar is cut or damaged
   */
  public List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    for (InputFile file : files) {
      boolean divisible =
          file.kind().layout() == FileKind.Layout.TAR
              && file.kind().compression() == FileKind.Compression.NONE;
      List<Part> whole = List.of(Part.of(file));
      parts.addAll(divisible ? TarIndex.entries(file).orElse(whole) : whole);
    }
    return parts;
  }

  interface Reading {
    void read(DigestingInputStream stream) throws IOException;
  }

  /** Opens a file, lets it be read, and reads what was left of it. */
  static InputEntry open(InputFile file, Mark beginning, LongConsumer listener, Reading reading) {
    try (InputStream in = file.storage().open(file.uri());
        DigestingInputStream stream =
            new DigestingInputStream(in, file.uri(), beginning, listener)) {
      reading.read(stream);
      stream.drain();
      requireLength(file, stream.numBytes());
      return new InputEntry(file.uri(), stream.numBytes(), stream.sha256());
    } catch (IOException e) {
      throw unreadable(file.uri(), e);
    }
  }

  static DataFormatException unreadable(String uri, IOException cause) {
    return new DataFormatException(
        uri,
        "a file that can be read",
        String.valueOf(cause.getMessage()),
        "check its permissions and that nothing moves it meanwhile",
        cause);
  }

  /** A file that was cut or grew meanwhile may still look whole, as text does. */
  private static void requireLength(InputFile file, long numBytes) {
    if (numBytes != file.bytes()) {
      throw new DataFormatException(
          file.uri(),
          "the %d bytes that it had when it was found".formatted(file.bytes()),
          "%d bytes".formatted(numBytes),
          "see that nothing writes to the inputs, and run the command again");
    }
  }

  private static List<StoredFile> list(Storage storage, String input) {
    try {
      if (storage.exists(input)) {
        return storage.list(input);
      }
    } catch (IOException e) {
      throw new ConfigException(
          "input " + input, "a file or folder", String.valueOf(e.getMessage()), CHECK_PATH, e);
    }
    throw new ConfigException("input " + input, "a file or folder", "nothing there", CHECK_PATH);
  }

  private static DataFormatException unknownExtension(StoredFile file) {
    return new DataFormatException(
        file.uri(),
        "one of the extensions " + FileKind.knownExtensions(),
        "a name that ends in none of them",
        "rename it to what it is, or move it out of the folder");
  }

  /** The file's name from the last part of the input's name on. */
  private static String portableName(String input, StoredFile file) {
    String folderOrFile = input.replaceFirst("/+$", "");
    int start = folderOrFile.lastIndexOf('/') + 1;
    return file.uri().substring(start);
  }
}
