package org.lengthwise.dataprep.prepare;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.dataprep.prepare.Checkpoint.Counts;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.shard.TokenizerIdentity;

/** Takes what became of each document to where it belongs, in the order of the documents. */
final class DocumentOutput implements Closeable {

  private final ShardSet shards;
  private final RejectsFile rejects;
  private final @Nullable SeenTexts seen;
  private Counts counts;

  private DocumentOutput(
      ShardSet shards, RejectsFile rejects, @Nullable SeenTexts seen, Counts counts) {
    this.shards = shards;
    this.rejects = rejects;
    this.seen = seen;
    this.counts = counts;
  }

  /** Begins in an empty workspace. */
  static DocumentOutput create(
      Workspace workspace, TokenizerIdentity tokenizer, PrepareSettings settings)
      throws IOException {
    return new DocumentOutput(
        new ShardSet(workspace.content(), tokenizer, settings.shards()),
        RejectsFile.create(workspace.content(), new RejectLimit(settings.rejectLimit())),
        settings.dedup() == Deduplication.EXACT ? SeenTexts.create(workspace.notes()) : null,
        Counts.ZERO);
  }

  /** Goes on where another attempt was; empty if the files are not what they were. */
  static Optional<DocumentOutput> takeUp(
      Workspace workspace,
      TokenizerIdentity tokenizer,
      PrepareSettings settings,
      Checkpoint.Output mark,
      Path pendingFolder)
      throws IOException {
    Optional<RejectsFile> rejects =
        RejectsFile.takeUp(
            workspace.content(), new RejectLimit(settings.rejectLimit()), mark.rejects());
    if (rejects.isEmpty()) {
      return Optional.empty();
    }
    ShardSet shards = new ShardSet(workspace.content(), tokenizer, settings.shards());
    SeenTexts seen =
        mark.seen() == null ? null : SeenTexts.takeUp(workspace.notes(), mark.seen()).orElse(null);
    DocumentOutput output = new DocumentOutput(shards, rejects.get(), seen, mark.counts());
    boolean whole = (mark.seen() == null) == (seen == null);
    if (whole && shards.takeUp(mark.splits(), pendingFolder)) {
      return Optional.of(output);
    }
    output.close();
    return Optional.empty();
  }

  void take(Outcome outcome) throws IOException {
    if (outcome instanceof Outcome.Tokenised document) {
      takeDocument(document);
    } else if (outcome instanceof Outcome.Rejected rejected) {
      rejects.add(rejected);
    } else if (outcome instanceof Outcome.Repeated) {
      counts = counts.withDuplicate();
    } else {
      counts = counts.withPassedOver();
    }
  }

  private void takeDocument(Outcome.Tokenised document) throws IOException {
    TextKey key = document.key();
    if (seen != null && key != null && !seen.add(key)) {
      counts = counts.withDuplicate();
    } else {
      shards.append(document);
      counts = counts.withDocument(document.numBytes());
    }
  }

  /** Notes where the output is, once it has reached the disk. */
  Checkpoint.Output mark(Path pendingFolder) throws IOException {
    return new Checkpoint.Output(
        shards.mark(pendingFolder), rejects.mark(), seen == null ? null : seen.mark(), counts);
  }

  /** Completes all shards. */
  Map<Split, SplitEntry> finish() throws IOException {
    return shards.finish();
  }

  Counts counts() {
    return counts;
  }

  int numRejects() {
    return rejects.count();
  }

  @Override
  public void close() throws IOException {
    try (shards;
        rejects;
        seen) {
      // closed from the last to the first, whichever of them fails
    }
  }
}
