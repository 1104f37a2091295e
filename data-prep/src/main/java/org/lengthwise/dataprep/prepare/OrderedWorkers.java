package org.lengthwise.dataprep.prepare;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import org.lengthwise.dataprep.source.DocumentSink;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.dataprep.thread.Threads;

/**
 * Works on documents on several threads and gives the outcomes back in the order of the documents,
 * on the thread that brings them.
 *
 * <p>What is in flight is bounded in bytes: when too much is, bringing a document waits for the
 * oldest batch and passes its outcomes on first. A single document larger than the bound travels
 * alone.
 */
final class OrderedWorkers implements DocumentSink, AutoCloseable {

  /** Large enough that handing a batch over costs nothing beside the work on it. */
  private static final int BATCH_BYTES = 1 << 18;

  /** What a document weighs beside its bytes, so that a million empty ones are bounded too. */
  private static final int DOCUMENT_OVERHEAD = 1 << 8;

  /** Batches in flight for each thread: one being worked on, the rest so that none ever waits. */
  private static final int BATCHES_PER_THREAD = 4;

  private record Batch(Future<List<Outcome>> outcomes, long numBytes) {}

  private final Function<RawDocument, Outcome> work;
  private final Consumer<Outcome> destination;
  private final ExecutorService threads;
  private final long bytesInFlightLimit;
  private final Deque<Batch> inFlight = new ArrayDeque<>();
  private long bytesInFlight;
  private List<RawDocument> open = new ArrayList<>();
  private long openBytes;

  OrderedWorkers(
      int numThreads, Function<RawDocument, Outcome> work, Consumer<Outcome> destination) {
    this.work = work;
    this.destination = destination;
    threads = Executors.newFixedThreadPool(numThreads);
    bytesInFlightLimit = (long) numThreads * BATCHES_PER_THREAD * BATCH_BYTES;
  }

  @Override
  public void accept(RawDocument document) {
    open.add(document);
    openBytes += document.numBytes() + DOCUMENT_OVERHEAD;
    if (openBytes >= BATCH_BYTES) {
      submit();
    }
  }

  /** Waits for everything that was brought so far, and passes it on. */
  void finish() {
    if (!open.isEmpty()) {
      submit();
    }
    while (!inFlight.isEmpty()) {
      passOnOldest();
    }
  }

  /**
   * Drops what was not begun and waits for what was, so that nothing uses the tokenizer any more
   * when its owner closes it.
   */
  @Override
  public void close() {
    threads.shutdownNow();
    Threads.awaitEnd(threads);
  }

  private void submit() {
    List<RawDocument> documents = open;
    while (!inFlight.isEmpty() && bytesInFlight + openBytes > bytesInFlightLimit) {
      passOnOldest();
    }
    Future<List<Outcome>> outcomes = threads.submit(() -> documents.stream().map(work).toList());
    inFlight.add(new Batch(outcomes, openBytes));
    bytesInFlight += openBytes;
    open = new ArrayList<>();
    openBytes = 0;
  }

  private void passOnOldest() {
    Batch batch = inFlight.remove();
    bytesInFlight -= batch.numBytes();
    await(batch.outcomes()).forEach(destination);
  }

  private static List<Outcome> await(Future<List<Outcome>> outcomes) {
    try {
      return outcomes.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while tokenising", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException("tokenising failed", e.getCause());
    }
  }
}
