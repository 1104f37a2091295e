package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.lengthwise.dataprep.shard.InputEntry;

/** The documents of a corpus, read as {@code prepare} reads them. */
final class ReadingLog {

  final List<RawDocument> documents = new ArrayList<>();

  /** The offsets at which a resume point may be saved. */
  final List<CorpusOffset> offsets = new ArrayList<>();

  final List<InputEntry> files = new ArrayList<>();
  long numBytes;

  static ReadingLog of(Corpus corpus, int documentByteLimit) throws IOException {
    return of(corpus, documentByteLimit, CorpusOffset.startOf(0), List.of());
  }

  static ReadingLog of(
      Corpus corpus, int documentByteLimit, CorpusOffset start, List<InputEntry> before)
      throws IOException {
    ReadingLog log = new ReadingLog();
    corpus.requireUnchanged(before, count -> log.numBytes = count);
    CorpusOffset offset = start;
    while (offset.file() < corpus.numFiles()) {
      try (DocumentReader reader =
          corpus.open(offset, documentByteLimit, count -> log.numBytes = count)) {
        log.read(reader);
      }
      offset = CorpusOffset.startOf(offset.file() + 1);
    }
    return log;
  }

  private void read(DocumentReader reader) {
    for (RawDocument raw = reader.next(); raw != null; raw = reader.next()) {
      documents.add(raw);
      if (reader.isPastStart()) {
        offsets.add(reader.offset());
      }
    }
    files.add(reader.finish());
  }

  List<DocumentOrigin> origins() {
    return documents.stream().map(RawDocument::origin).toList();
  }
}
