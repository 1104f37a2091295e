package org.lengthwise.dataprep.source;

import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.artifact.AppendedFile.Mark;

/** One file being read as documents, with the places between them. */
final class FileReading {

  private final int fileIndex;
  private final DocumentReader reader;
  private final DocumentSink sink;
  private final ReadingListener listener;
  private @Nullable DigestingInputStream stream;

  FileReading(
      InputFile file,
      Place start,
      int documentByteLimit,
      DocumentSink sink,
      ReadingListener listener) {
    fileIndex = start.file();
    reader = new DocumentReader(file, documentByteLimit, this::passOn, start);
    this.sink = sink;
    this.listener = listener;
  }

  void read(DigestingInputStream bytes) {
    stream = bytes;
    reader.read(bytes);
  }

  private void passOn(RawDocument document) {
    sink.accept(document);
    DigestingInputStream bytes = stream;
    // What lies before the start must be known to be unchanged before anything is built on it.
    if (bytes != null && bytes.isPastBeginning()) {
      listener.documentRead(() -> place(bytes));
    }
  }

  private Place place(DigestingInputStream bytes) {
    Mark content = new Mark(bytes.numBytes(), bytes.sha256());
    return new Place(fileIndex, reader.numEntries(), reader.numDocuments(), content);
  }
}
