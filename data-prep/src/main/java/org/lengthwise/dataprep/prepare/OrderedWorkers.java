package org.lengthwise.dataprep.prepare;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.error.ConfigException;
import org.lengthwise.progress.Threads;

/**
 * Tokenises documents on several threads and returns their fates in the order of the documents. For
 * use by one thread, which submits and takes.
 *
 * <p>The documents in flight are bounded in bytes: if another document would exceed the bound, the
 * caller takes the oldest batch first. A document larger than the bound is processed without other
 * documents in flight.
 */
final class OrderedWorkers implements AutoCloseable {

  /** Large enough that the cost of passing a batch to a thread does not matter. */
  private static final int BATCH_BYTES = 1 << 18;

  /**
   * The memory of a document in addition to its bytes, so that many empty documents are bounded
   * too.
   */
  private static final int DOCUMENT_OVERHEAD = 1 << 8;

  /** A thread works on one batch; the other batches are ready when it finishes. */
  private static final int BATCHES_PER_THREAD = 4;

  private record Submitted(Future<List<DocumentFate>> fates, long numBytes) {}

  private final Function<RawDocument, DocumentFate> work;
  private final ExecutorService threads;
  private final long bytesInFlightLimit;
  private final Deque<Submitted> inFlight = new ArrayDeque<>();
  private long bytesInFlight;
  private List<RawDocument> open = new ArrayList<>();
  private long openBytes;

  OrderedWorkers(int numThreads, Function<RawDocument, DocumentFate> work) {
    this.work = work;
    threads = Executors.newFixedThreadPool(numThreads);
    bytesInFlightLimit = (long) numThreads * BATCHES_PER_THREAD * BATCH_BYTES;
  }

  boolean haveRoomFor(RawDocument document) {
    return inFlight.isEmpty() || bytesInFlight + openBytes + size(document) <= bytesInFlightLimit;
  }

  void submit(RawDocument document) {
    open.add(document);
    openBytes += size(document);
    if (openBytes >= BATCH_BYTES) {
      submitBatch();
    }
  }

  /** Waits for the oldest batch in flight. Requires at least one. */
  List<DocumentFate> takeOldest() {
    Submitted batch = inFlight.remove();
    bytesInFlight -= batch.numBytes();
    return await(batch.fates());
  }

  List<DocumentFate> takeAll() {
    submitBatch();
    List<DocumentFate> fates = new ArrayList<>();
    while (!inFlight.isEmpty()) {
      fates.addAll(takeOldest());
    }
    return fates;
  }

  /**
   * Discards the batches that no thread has started, and waits for the others. After that no thread
   * uses the tokenizer, so its owner may close it.
   */
  @Override
  public void close() {
    threads.shutdownNow();
    Threads.awaitEnd(threads);
  }

  private static long size(RawDocument document) {
    return (long) document.numBytes() + DOCUMENT_OVERHEAD;
  }

  private void submitBatch() {
    if (open.isEmpty()) {
      return;
    }
    List<RawDocument> documents = open;
    inFlight.add(
        new Submitted(threads.submit(() -> documents.stream().map(work).toList()), openBytes));
    bytesInFlight += openBytes;
    open = new ArrayList<>();
    openBytes = 0;
  }

  private static List<DocumentFate> await(Future<List<DocumentFate>> fates) {
    try {
      return fates.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while tokenising", e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof ConfigException wrong) {
        throw wrong;
      }
      throw new IllegalStateException("tokenising failed", e.getCause());
    }
  }
}
