package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.storage.StoredFile;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** All files that a run reads. They are found and recognised before the first one is opened. */
public final class Corpus {

  private static final String CHECK_PATH = "check the path, and that this user may read it";

  private final List<InputFile> files;

  /** The bytes of all files before each file. */
  private final long[] bytesBefore;

  private Corpus(List<InputFile> files) {
    this.files = List.copyOf(files);
    bytesBefore = new long[files.size()];
    for (int i = 1; i < bytesBefore.length; i++) {
      bytesBefore[i] = bytesBefore[i - 1] + files.get(i - 1).bytes();
    }
  }

  /**
   * Finds the files of the inputs.
   *
   * @param inputs files and folders, as local paths or URIs
   * @return the files, in the order of the inputs and sorted by name within a folder
   * @throws ConfigException if an input does not exist or cannot be listed
   * @throws DataFormatException if a file's extension is unknown, or there is no file
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
          "folders without any such file (hidden files are ignored)",
          "name the folder or the files that hold the text");
    }
    return new Corpus(files);
  }

  /** {@return the length of all files together in bytes, as stored} */
  public long numBytes() {
    return files.stream().mapToLong(InputFile::bytes).sum();
  }

  /** {@return the number of files, at least 1} */
  public int numFiles() {
    return files.size();
  }

  /**
   * {@return the files by name and length, as they were found, in the order in which they are read}
   */
  public List<StoredFile> files() {
    return files.stream().map(file -> new StoredFile(file.uri(), file.bytes())).toList();
  }

  /**
   * Opens a file at an offset. The bytes before the offset are read for their checksum, but not
   * parsed.
   *
   * @param start the file, and the offset in it where an earlier run stopped; {@link
   *     CorpusOffset#startOf} for all documents of the file
   * @param documentByteLimit longer documents are reported without their content, in bytes
   * @param bytesRead receives the number of bytes read so far, of {@link #numBytes}
   * @return the documents after the offset
   * @throws DataFormatException if the file cannot be opened
   */
  public DocumentReader open(CorpusOffset start, int documentByteLimit, LongConsumer bytesRead) {
    InputFile file = files.get(start.file());
    return DocumentReader.ofFile(
        file, file.open(start.content(), after(start.file(), bytesRead)), start, documentByteLimit);
  }

  /**
   * Reads the first files again, which an earlier run has read to their ends, and compares them.
   *
   * @param earlier the length and checksum of each of these files
   * @param bytesRead receives the number of bytes read so far, of {@link #numBytes}
   * @throws DataFormatException if a file has changed
   */
  public void requireUnchanged(List<InputEntry> earlier, LongConsumer bytesRead) {
    for (int i = 0; i < earlier.size(); i++) {
      if (!files.get(i).digest(after(i, bytesRead)).equals(earlier.get(i))) {
        throw DigestingInputStream.changed(files.get(i).uri(), "other content than before");
      }
    }
  }

  /**
   * {@return whether these are the files that an earlier run read, by name, length and content}
   *
   * @param earlier the files of the earlier run
   * @param bytesRead receives the number of bytes read so far, of {@link #numBytes}
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
    for (int i = 0; i < files.size(); i++) {
      if (!files.get(i).digest(after(i, bytesRead)).equals(earlier.get(i))) {
        return false;
      }
    }
    return true;
  }

  /** Adds the bytes of all files before this one. */
  private LongConsumer after(int file, LongConsumer bytesRead) {
    return count -> bytesRead.accept(bytesBefore[file] + count);
  }

  /** {@return the files, each as one part, in the order of reading} */
  public List<Part> wholeFiles() {
    return files.stream().map(Part::of).toList();
  }

  /**
   * {@return the smallest parts that can be read alone, in the order of reading; none for a tar
   * without files} These parts are the entries of each tar that is not compressed, and every other
   * file. This method reads the headers of each tar, so it takes time.
   *
   * @throws DataFormatException if a tar is truncated or damaged
   */
  public List<Part> parts() {
    List<Part> parts = new ArrayList<>();
    for (InputFile file : files) {
      boolean divisible =
          file.kind().layout() == FileKind.Layout.TAR
              && file.kind().compression() == FileKind.Compression.NONE;
      List<Part> whole = List.of(Part.of(file));
      parts.addAll(divisible ? Part.entriesOf(file).orElse(whole) : whole);
    }
    return parts;
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
    throw new ConfigException(
        "input " + input, "a file or folder", "no such file or folder", CHECK_PATH);
  }

  private static DataFormatException unknownExtension(StoredFile file) {
    return new DataFormatException(
        file.uri(),
        "one of the extensions " + FileKind.knownExtensions(),
        "a name with another extension",
        "give it the extension of its format, or move it out of the folder");
  }

  /** The file's name, from the last component of the input's name on. */
  private static String portableName(String input, StoredFile file) {
    String folderOrFile = input.replaceFirst("/+$", "");
    int start = folderOrFile.lastIndexOf('/') + 1;
    return file.uri().substring(start);
  }
}
