package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Reads the documents of a tar that is an archive's entry. A tar inside this tar is not opened. */
final class NestedTar implements EntryReader {

  private final DocumentOrigin origin;
  private final Entries.Tar entries;
  private final EntryReader.Settings settings;
  private @Nullable EntryReader entry;

  NestedTar(DocumentOrigin origin, InputStream in, EntryReader.Settings settings) {
    this.origin = origin;
    entries = new Entries.Tar(origin, in);
    this.settings = settings;
  }

  @Override
  public @Nullable RawDocument next() throws IOException {
    while (true) {
      RawDocument document = entry == null ? null : entry.next();
      if (document != null) {
        return document;
      }
      Entries.Member next = entries.next();
      if (next == null) {
        return null;
      }
      entry = next.isFile() ? open(next) : null;
    }
  }

  private EntryReader open(Entries.Member next) throws IOException {
    FileKind kind = next.kind();
    return new StreamEntry(
        origin.member(origin.member() + "!" + next.name()),
        true,
        kind,
        kind.decompress(new EntryReader.Unclosed(next.content()), settings),
        settings);
  }

  @Override
  public DocumentOrigin position() {
    return entry == null ? origin : entry.position();
  }

  @Override
  public void close() throws IOException {
    entries.close();
  }
}
