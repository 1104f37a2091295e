package org.lengthwise.dataprep.prepare;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.BuildInfo;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.artifact.ArtifactFolder.FolderWriter;
import org.lengthwise.dataprep.progress.Progress;
import org.lengthwise.dataprep.progress.ProgressReporter;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardFormat;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/** Fills a shard folder from a corpus: shards, rejects and manifest. Good for one folder. */
final class ShardFolderWriter implements FolderWriter {

  private static final Logger LOG = LogManager.getLogger(ShardFolderWriter.class);

  private final Corpus corpus;
  private final PrepareRequest request;
  private final Tokenizer tokenizer;
  private long passedOver;
  private @Nullable PrepareSummary summary;

  ShardFolderWriter(Corpus corpus, PrepareRequest request, Tokenizer tokenizer) {
    this.corpus = corpus;
    this.request = request;
    this.tokenizer = tokenizer;
  }

  @Override
  public void write(Path folder) throws IOException {
    long start = System.nanoTime();
    PrepareSettings settings = request.settings();
    TokenizerIdentity identity = Preparation.identity(tokenizer);
    try (ShardSet shards = new ShardSet(folder, identity, settings.shards());
        RejectsFile rejects = new RejectsFile(folder, settings.rejectLimit())) {
      List<InputEntry> inputs = readAll(shards, rejects);
      Map<Split, SplitEntry> splits = shards.finish();
      double seconds = (System.nanoTime() - start) / 1e9;
      PrepareSummary done =
          new PrepareSummary(splits, shards.textBytes(), rejects.count(), passedOver, seconds);
      requireDocuments(done);
      new Manifest(
              ShardFormat.VERSION,
              identity,
              inputs,
              Preparation.settings(request),
              splits,
              rejects.count(),
              BuildInfo.current())
          .write(folder);
      summary = done;
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** What was done; known once the folder is written. */
  PrepareSummary summary() {
    if (summary == null) {
      throw new IllegalStateException("nothing was written yet");
    }
    return summary;
  }

  private List<InputEntry> readAll(ShardSet shards, RejectsFile rejects) {
    DocumentTokeniser tokeniser = new DocumentTokeniser(tokenizer, request.settings().split());
    try (Progress progress = ProgressReporter.start("prepare", "bytes", corpus.numBytes());
        OrderedWorkers workers =
            new OrderedWorkers(
                request.numThreads(),
                tokeniser::outcomeOf,
                outcome -> take(outcome, shards, rejects))) {
      List<InputEntry> inputs =
          corpus.read(request.settings().documentByteLimit(), workers, progress::advanceTo);
      workers.finish();
      return inputs;
    }
  }

  private void take(Outcome outcome, ShardSet shards, RejectsFile rejects) {
    try {
      if (outcome instanceof Outcome.Tokenised document) {
        shards.append(document);
      } else if (outcome instanceof Outcome.Rejected rejected) {
        rejects.add(rejected);
      } else {
        passedOver++;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void requireDocuments(PrepareSummary done) {
    if (done.documents() == 0) {
      throw new DataFormatException(
          String.join(",", request.inputs()),
          "at least one document",
          "none (%d records set aside, %d archive entries passed over as binary or empty)"
              .formatted(done.rejects(), done.passedOver()),
          "check that these are the files that hold the text");
    }
    done.splits()
        .forEach(
            (split, entry) -> {
              if (entry.documents() == 0) {
                LOG.warn("the {} split got no document", split.label());
              }
            });
  }
}
