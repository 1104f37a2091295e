package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.config.ConfigLoader;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/** From a corpus to a folder of shards, once. */
public final class Preparation {

  /** The name of the file of malformed records in an output. */
  public static final String REJECTS_FILE = RejectsFile.NAME;

  private static final Logger LOG = LogManager.getLogger(Preparation.class);

  /** Heap that a document takes for each of its bytes, from being read to being written. */
  private static final long HEAP_PER_DOCUMENT_BYTE = 28;

  private Preparation() {}

  /**
   * Prepares a corpus, unless that was done before. An attempt that was killed or failed is gone on
   * with from its last checkpoint.
   *
   * @param request what is to be prepared, and where to
   * @param tokenizer turns the text into tokens; stays open
   * @return what was done; empty if the output was finished already and nothing was
   * @throws IOException if the output cannot be written
   * @throws org.lengthwise.dataprep.ConfigException if an input does not exist, or the output is
   *     taken by something else
   * @throws DataFormatException if an input is damaged, too many records are malformed, or there is
   *     no document at all
   */
  public static Optional<PrepareSummary> run(PrepareRequest request, Tokenizer tokenizer)
      throws IOException {
    return run(request, tokenizer, CheckpointSchedule.ofRealTime());
  }

  static Optional<PrepareSummary> run(
      PrepareRequest request, Tokenizer tokenizer, CheckpointSchedule schedule) throws IOException {
    requireHeap(request.settings().documentByteLimit(), Runtime.getRuntime().maxMemory());
    Corpus corpus = Corpus.find(request.inputs());
    if (isFinished(request, corpus, tokenizer)) {
      return Optional.empty();
    }
    ShardFolderWriter writer = new ShardFolderWriter(corpus, request, tokenizer, schedule);
    Storage.of(request.output()).create(request.output(), writer);
    return Optional.of(writer.summary());
  }

  /**
   * Checks that a document which is let in does not end the run for want of memory.
   *
   * @param documentByteLimit the longest document that is let in
   * @param heap the heap of the process that prepares it, in bytes
   * @throws ConfigException if the heap is too small
   */
  public static void requireHeap(int documentByteLimit, long heap) {
    long needed = HEAP_PER_DOCUMENT_BYTE * documentByteLimit;
    if (heap < needed) {
      throw new ConfigException(
          "document_byte_limit",
          "a heap of %,d bytes for documents of %,d".formatted(needed, documentByteLimit),
          "%,d bytes".formatted(heap),
          "lower the limit, or give Java more: LENGTHWISE_OPTS=-Xmx%dg here, task_heap_mib on a cluster"
              .formatted((needed >> 30) + 1));
    }
  }

  /**
   * Tells whether an earlier run, here or on a cluster, has left what this one would make.
   *
   * @param request what is to be prepared
   * @param corpus its inputs, found
   * @param tokenizer turns the text into tokens
   * @return whether the output is finished
   * @throws IOException if the output cannot be looked at
   * @throws org.lengthwise.dataprep.ConfigException if it was made of something else
   */
  public static boolean isFinished(PrepareRequest request, Corpus corpus, Tokenizer tokenizer)
      throws IOException {
    if (!Storage.of(request.output()).isDone(request.output())) {
      return false;
    }
    FinishedOutput.read(request.output())
        .requireSame(corpus, identity(tokenizer), settings(request));
    LOG.info("{} is finished already: same inputs, tokenizer and settings", request.output());
    return true;
  }

  /**
   * Refuses an output without documents, which is of no use, and warns of a split without any.
   *
   * @param request what was to be prepared
   * @param done what was done
   * @throws DataFormatException if there is no document at all
   */
  public static void requireDocuments(PrepareRequest request, PrepareSummary done) {
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

  /**
   * A tokenizer as it reads in a manifest.
   *
   * @param tokenizer any tokenizer
   * @return its name, digest and ids
   */
  public static TokenizerIdentity identity(Tokenizer tokenizer) {
    return new TokenizerIdentity(
        tokenizer.name(), tokenizer.sha256(), tokenizer.vocabularySize(), tokenizer.endOfText());
  }

  /**
   * The settings as they read in a manifest.
   *
   * @param request what is to be prepared
   * @return its settings
   * @throws IOException never, as far as settings can be written as JSON
   */
  public static ObjectNode settings(PrepareRequest request) throws IOException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    return mapper.readValue(mapper.writeValueAsBytes(request.settings()), ObjectNode.class);
  }
}
