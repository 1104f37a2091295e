package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Count;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.progress.Progress;
import org.lengthwise.progress.ProgressReporter;

/** Prepares a corpus: writes a folder of shards, unless that folder is already finished. */
public final class Preparation {

  /** The name of the file of malformed records in an output. */
  public static final String REJECTS_FILE = RejectsFile.NAME;

  private static final Logger LOG = LogManager.getLogger(Preparation.class);

  /** The heap that a document needs for each of its bytes, from reading to writing. */
  private static final long HEAP_PER_DOCUMENT_BYTE = 28;

  private Preparation() {}

  /**
   * Prepares a corpus. A finished output is skipped; an attempt that was killed or failed is
   * resumed at its latest resume point.
   *
   * @param tokenizer turns the text into tokens; stays open
   * @return a summary; empty if the output was already finished
   * @throws ConfigException if an input does not exist, or the output exists and is something else
   * @throws DataFormatException if an input is damaged, too many records are malformed, or there is
   *     no document
   */
  public static Optional<PrepareSummary> run(PrepareRequest request, Tokenizer tokenizer)
      throws IOException {
    return run(request, tokenizer, ResumePointSchedule.ofRealTime());
  }

  static Optional<PrepareSummary> run(
      PrepareRequest request, Tokenizer tokenizer, ResumePointSchedule schedule)
      throws IOException {
    requireHeap(request.settings().documentByteLimit(), Runtime.getRuntime().maxMemory());
    Corpus corpus = request.corpus();
    if (isFinished(request, corpus, tokenizer)) {
      return Optional.empty();
    }
    ShardFolderWriter writer = new ShardFolderWriter(corpus, request, tokenizer, schedule);
    Storage.of(request.output()).create(request.output(), writer);
    return Optional.of(writer.summary());
  }

  /**
   * Checks that the longest document fits in memory.
   *
   * @throws ConfigException if the heap is too small
   */
  public static void requireHeap(int documentByteLimit, long heap) {
    long needed = HEAP_PER_DOCUMENT_BYTE * documentByteLimit;
    if (heap < needed) {
      throw new ConfigException(
          "document_byte_limit",
          "a heap of %s bytes for documents of %s"
              .formatted(Count.of(needed), Count.of(documentByteLimit)),
          Count.of(heap, "byte"),
          "lower the limit, or give Java more: LENGTHWISE_OPTS=-Xmx%sg here, task_heap_mib on a cluster"
              .formatted((needed >> 30) + 1));
    }
  }

  /**
   * {@return whether an earlier run, on this machine or on a cluster, has finished this output}
   *
   * @throws ConfigException if the output has other inputs, another tokenizer or other settings
   */
  public static boolean isFinished(PrepareRequest request, Corpus corpus, Tokenizer tokenizer)
      throws IOException {
    String output = request.output();
    if (!Storage.of(output).isDone(output)) {
      return false;
    }
    Manifest manifest = readManifest(output);
    requireSame(output, "tokenizer", shown(manifest.tokenizer()), shown(identity(tokenizer)));
    requireSame(output, "settings", resolved(manifest), settings(request));
    try (Progress progress = ProgressReporter.start("compare inputs", "bytes", corpus.numBytes())) {
      if (!corpus.matches(manifest.inputs(), progress::advanceTo)) {
        throw different(
            output, "the inputs of this command", "a folder prepared from other inputs");
      }
    }
    LOG.info("{} is already finished: same inputs, tokenizer and settings", output);
    return true;
  }

  /** The settings of a folder, with those that its release did not have. */
  private static ObjectNode resolved(Manifest manifest) throws IOException {
    return settings(
        ConfigLoader.strictMapper().treeToValue(manifest.settings(), PrepareSettings.class));
  }

  private static Manifest readManifest(String output) {
    String file = Storage.join(output, Manifest.FILE);
    try (InputStream in = Storage.of(output).open(file)) {
      return ConfigLoader.strictMapper().readValue(in, Manifest.class);
    } catch (IOException e) {
      throw new DataFormatException(
          file,
          "the manifest of a finished shard folder",
          String.valueOf(e.getMessage()),
          "remove the folder, or name another output",
          e);
    }
  }

  private static String shown(TokenizerIdentity tokenizer) {
    return "%s (%s, end-of-text %s)"
        .formatted(tokenizer.name(), tokenizer.sha256().substring(0, 12), tokenizer.endOfText());
  }

  private static void requireSame(String output, String what, Object earlier, Object now) {
    if (!earlier.equals(now)) {
      throw different(output, what + " " + now, "a folder prepared with " + what + " " + earlier);
    }
  }

  private static ConfigException different(String output, String expected, String found) {
    return new ConfigException(
        "output " + output, expected, found, "name another output, or remove this one first");
  }

  /** Rejects an output without documents, and warns of a split without documents. */
  public static void requireDocuments(PrepareRequest request, PrepareSummary done) {
    if (done.documents() == 0) {
      throw new DataFormatException(
          String.join(",", request.inputs()),
          "at least one document",
          "none (%s records rejected, %s archive entries without text skipped)"
              .formatted(done.tally().rejects(), done.tally().skipped()),
          "check that these are the files that hold the text, and --text-column");
    }
    done.splits()
        .forEach(
            (split, entry) -> {
              if (entry.documents() == 0) {
                LOG.warn("the {} split has no documents", split.label());
              }
            });
  }

  /** {@return a tokenizer's name, checksum and ids, as manifests store them} */
  public static TokenizerIdentity identity(Tokenizer tokenizer) {
    return new TokenizerIdentity(
        tokenizer.name(), tokenizer.sha256(), tokenizer.vocabularySize(), tokenizer.endOfText());
  }

  /** {@return the settings as JSON, as manifests store them} */
  public static ObjectNode settings(PrepareRequest request) throws IOException {
    return settings(request.settings());
  }

  private static ObjectNode settings(PrepareSettings settings) throws IOException {
    ObjectMapper mapper = ConfigLoader.strictMapper();
    return mapper.readValue(mapper.writeValueAsBytes(settings), ObjectNode.class);
  }
}
