package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongConsumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.storage.StoredFile;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.error.DataFormatException;

/** All files that a run reads. They are found and recognised before the first one is opened. */
public final class Corpus {

  private static final Logger LOG = LogManager.getLogger(Corpus.class);

  private static final int MOST_LISTED = 20;

  private static final String CHECK_PATH = "check the path, and that this user may read it";

  private final List<InputFile> files;

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
   * @throws DataFormatException if a file's extension is unknown, or there is no file
   */
  public static Corpus find(List<String> inputs, Selection selection, Reading reading) {
    List<InputFile> files = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (String input : inputs) {
      Storage storage = Storage.of(input);
      for (StoredFile file : list(storage, input)) {
        String name = portableName(input, file);
        String relative = name.substring(name.indexOf('/') + 1);
        if (isMegatron(reading) && name.endsWith(".idx")) {
          continue; // read with its .bin
        }
        Optional<FileKind> kind = FileKind.of(file.uri(), reading);
        boolean isNamed = file.uri().equals(input);
        boolean isCompanion =
            !isNamed
                && (kind.isEmpty() || FileKind.isJson(relative))
                && Selection.isCompanion(relative);
        if (!selection.accepts(relative) || isCompanion) {
          skipped.add(relative);
          continue;
        }
        if (file.bytes() == StoredFile.LINK_WITHOUT_FILE) {
          throw new ConfigException(
              file.uri(),
              "a file",
              "a link to a file that does not exist",
              "get that file, or leave the link out with --exclude");
        }
        InputFile found =
            new InputFile(
                storage,
                file.uri(),
                name,
                file.bytes(),
                kind.orElseThrow(() -> unknownExtension(file, reading)),
                reading);
        found.refuseOtherFormat();
        if (isMegatron(reading)) {
          files.add(MegatronIndex.of(found)); // first, so that a resumed run compares it first
        }
        files.add(found);
      }
    }
    if (!skipped.isEmpty()) {
      LOG.info(
          "skipped {}: {}{}",
          Count.of(skipped.size(), "file"),
          String.join(", ", skipped.subList(0, Math.min(skipped.size(), MOST_LISTED))),
          skipped.size() > MOST_LISTED ? ", ..." : "");
    }
    if (files.isEmpty()) {
      throw new DataFormatException(
          String.join(",", inputs),
          "files of documents",
          "no such file (hidden files are ignored)",
          "name the folder or the files that hold the text, and check --include and --exclude");
    }
    return new Corpus(files);
  }

  public long numBytes() {
    return files.stream().mapToLong(InputFile::bytes).sum();
  }

  public int numFiles() {
    return files.size();
  }

  /** {@return the files as they were found, in the order of reading} */
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
   */
  public DocumentReader open(CorpusOffset start, int documentByteLimit, LongConsumer bytesRead) {
    InputFile file = files.get(start.file());
    return DocumentReader.ofFile(file, start, documentByteLimit, after(start.file(), bytesRead));
  }

  /**
   * Reads the first files again, which an earlier run has read to their ends, and compares them.
   */
  public void requireUnchanged(List<InputEntry> earlier, LongConsumer bytesRead) {
    for (int i = 0; i < earlier.size(); i++) {
      if (!files.get(i).digest(after(i, bytesRead)).equals(earlier.get(i))) {
        throw DigestingInputStream.changed(files.get(i).uri(), "other content than before");
      }
    }
  }

  /** {@return whether these are the files that an earlier run read, by name, length and content} */
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

  private LongConsumer after(int file, LongConsumer bytesRead) {
    return count -> bytesRead.accept(bytesBefore[file] + count);
  }

  public List<Part> wholeFiles() {
    return files.stream().map(Part::of).toList();
  }

  /**
   * {@return parts that can be read alone, in the order of reading; none for a tar without files}
   * These parts are the entries of each tar that is not compressed, and every other file. This
   * method reads the headers of each tar, so it takes time.
   */
  public List<Part> parts(long partBytes) {
    List<Part> parts = new ArrayList<>();
    for (InputFile file : files) {
      boolean isPlain = file.kind().compression() == FileKind.Compression.NONE;
      List<Part> whole = List.of(Part.of(file));
      parts.addAll(
          switch (file.kind().layout()) {
            case TAR -> isPlain ? Part.entriesOf(file).orElse(whole) : whole;
            case PARQUET -> Part.rowGroupsOf(file, partBytes);
            default -> whole;
          });
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
          "input " + input,
          "a file or folder",
          (e instanceof FileSystemLoopException ? "a link to a folder around it, " : "")
              + e.getMessage(),
          CHECK_PATH,
          e);
    }
    throw new ConfigException(
        "input " + input, "a file or folder", "no such file or folder", CHECK_PATH);
  }

  private static boolean isMegatron(Reading reading) {
    return reading.tokens() != null && reading.tokens().format() == TokenFiles.Format.MEGATRON;
  }

  private static DataFormatException unknownExtension(StoredFile file, Reading reading) {
    boolean isBin = file.uri().toLowerCase(Locale.ROOT).endsWith(".bin");
    return new DataFormatException(
        file.uri(),
        "one of the extensions " + FileKind.knownExtensions(reading),
        "a name with another extension",
        isBin
            ? "if it holds token ids, add --tokens nanogpt, llm.c or megatron"
            : "skip it with --exclude, choose the files with --include, give it the extension of its"
                + " format, or convert it: .csv and .arrow to .parquet, other archives to .zip");
  }

  private static String portableName(String input, StoredFile file) {
    String folderOrFile = input.replaceFirst("/+$", "");
    int start = folderOrFile.lastIndexOf('/') + 1;
    return file.uri().substring(start);
  }
}
