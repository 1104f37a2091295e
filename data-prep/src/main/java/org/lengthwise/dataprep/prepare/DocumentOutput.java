package org.lengthwise.dataprep.prepare;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.Workspace;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.shard.DocumentInfo;
import org.lengthwise.dataprep.shard.ShardWriter;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.shard.SplitState;
import org.lengthwise.dataprep.shard.TokenizerIdentity;

/** Writes each document according to its fate, in the order of the documents, and counts fates. */
final class DocumentOutput implements Closeable {

  private final BufferAllocator allocator = new RootAllocator();

  private final Map<Split, ShardWriter> shards = new EnumMap<>(Split.class);

  private final RejectsFile rejects;
  private final RejectLimit rejectLimit;
  private final @Nullable SeenTexts seen;
  private Tally tally;

  private DocumentOutput(
      Path folder,
      TokenizerIdentity tokenizer,
      PrepareSettings settings,
      RejectsFile rejects,
      @Nullable SeenTexts seen,
      Tally tally) {
    for (Split split : Split.values()) {
      shards.put(split, new ShardWriter(folder, split, tokenizer, settings.shards(), allocator));
    }
    this.rejects = rejects;
    rejectLimit = new RejectLimit(settings.rejectLimit());
    this.seen = seen;
    this.tally = tally;
  }

  static DocumentOutput create(
      Workspace workspace, TokenizerIdentity tokenizer, PrepareSettings settings)
      throws IOException {
    return new DocumentOutput(
        workspace.content(),
        tokenizer,
        settings,
        RejectsFile.create(workspace.content()),
        settings.dedup() == Deduplication.EXACT ? SeenTexts.create(workspace.notes()) : null,
        Tally.ZERO);
  }

  /** Truncates the files of an earlier attempt at a resume point; empty if a file was altered. */
  static Optional<DocumentOutput> resume(
      Workspace workspace,
      TokenizerIdentity tokenizer,
      PrepareSettings settings,
      ResumePoint.Output earlier,
      Path pendingFolder)
      throws IOException {
    Optional<RejectsFile> rejects = RejectsFile.resume(workspace.content(), earlier.rejects());
    if (rejects.isEmpty()) {
      return Optional.empty();
    }
    SeenTexts seen =
        earlier.seen() == null
            ? null
            : SeenTexts.resume(workspace.notes(), earlier.seen()).orElse(null);
    DocumentOutput output =
        new DocumentOutput(
            workspace.content(), tokenizer, settings, rejects.get(), seen, earlier.tally());
    boolean hasSeen = (earlier.seen() == null) == (seen == null);
    if (hasSeen && output.resumeShards(earlier.splits(), pendingFolder)) {
      return Optional.of(output);
    }
    output.close();
    return Optional.empty();
  }

  private boolean resumeShards(Map<Split, SplitState> states, Path pendingFolder)
      throws IOException {
    for (Map.Entry<Split, ShardWriter> writer : shards.entrySet()) {
      SplitState state = states.get(writer.getKey());
      if (state == null || !writer.getValue().resume(state, pendingFolder)) {
        return false;
      }
    }
    return true;
  }

  void addAll(List<DocumentFate> fates) throws IOException {
    for (DocumentFate fate : fates) {
      add(fate);
    }
  }

  void add(DocumentFate fate) throws IOException {
    if (fate instanceof DocumentFate.Tokenised document) {
      addDocument(document);
    } else if (fate instanceof DocumentFate.Rejected rejected) {
      rejectLimit.requireRoomFor(rejected, tally.rejects());
      tally = tally.withReject();
      rejects.add(rejected, tally.rejects());
    } else if (fate instanceof DocumentFate.Duplicate) {
      tally = tally.withDuplicate();
    } else if (fate instanceof DocumentFate.Skipped) {
      tally = tally.withSkipped();
    } else {
      throw new AssertionError("no output for " + fate);
    }
  }

  private void addDocument(DocumentFate.Tokenised document) throws IOException {
    TextKey key = document.key();
    if (seen != null && key != null && !seen.add(key)) {
      tally = tally.withDuplicate();
    } else {
      append(document);
      tally = tally.withDocument(document.numBytes());
    }
  }

  private void append(DocumentFate.Tokenised document) throws IOException {
    DocumentInfo info =
        new DocumentInfo(document.origin().source(), document.origin().line(), document.numBytes());
    ShardWriter writer = Objects.requireNonNull(shards.get(document.split()));
    writer.append(info, document.tokens().array(), document.tokens().limit());
  }

  ResumePoint.Output sync(Path pendingFolder) throws IOException {
    Map<Split, SplitState> splits = new EnumMap<>(Split.class);
    for (Map.Entry<Split, ShardWriter> writer : shards.entrySet()) {
      splits.put(writer.getKey(), writer.getValue().save(pendingFolder));
    }
    return new ResumePoint.Output(splits, rejects.sync(), seen == null ? null : seen.sync(), tally);
  }

  Map<Split, SplitEntry> finish() throws IOException {
    Map<Split, SplitEntry> entries = new EnumMap<>(Split.class);
    for (Map.Entry<Split, ShardWriter> writer : shards.entrySet()) {
      entries.put(writer.getKey(), SplitEntry.of(writer.getValue().finish()));
    }
    return entries;
  }

  Tally tally() {
    return tally;
  }

  @Override
  public void close() throws IOException {
    try (allocator;
        rejects;
        seen) {
      for (ShardWriter writer : shards.values()) {
        writer.close();
      }
    }
  }
}
