package org.lengthwise.training.replica;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import java.util.ArrayList;
import java.util.List;

/**
 * Averages gradients over replicas. Sums go pairwise up a binary tree of replicas, one flat bucket
 * of tensors at a time, and the mean goes down the same tree. In a round each device exchanges with
 * at most one other device, so N replicas take 2 log2 N rounds. The order of additions is fixed.
 */
final class TreeExchange implements AutoCloseable {
  private final List<ReplicaKernels> kernels = new ArrayList<>();
  private final ReplicaThreads threads;
  private final long bucket;

  TreeExchange(List<Device> devices, ReplicaThreads threads) {
    this(devices, threads, ReplicaGroup.bucket(devices.get(0).isGpu()));
  }

  TreeExchange(List<Device> devices, ReplicaThreads threads, long bucket) {
    this.threads = threads;
    this.bucket = bucket;
    try {
      devices.forEach(device -> kernels.add(new ReplicaKernels(device)));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /**
   * Replaces every replica's gradients by their mean over the replicas. All replicas end with the
   * same bits. Returns when the gradients are in place.
   */
  void average(List<List<NDArray>> gradients) {
    int numTensors = gradients.get(0).size();
    int first = 0;
    while (first < numTensors) {
      int end = endOfBucket(gradients.get(0), first);
      List<List<NDArray>> parts = new ArrayList<>();
      for (List<NDArray> ofReplica : gradients) {
        parts.add(ofReplica.subList(first, end));
      }
      averageBucket(parts);
      first = end;
    }
  }

  private int endOfBucket(List<NDArray> tensors, int first) {
    int end = first + 1;
    long size = tensors.get(first).size();
    while (end < tensors.size() && size + tensors.get(end).size() <= bucket) {
      size += tensors.get(end).size();
      end++;
    }
    return end;
  }

  private void averageBucket(List<List<NDArray>> parts) {
    try (NDList held = new NDList()) {
      List<NDArray> flats =
          new ArrayList<>(threads.onEach(of -> kernels.get(of).flatten(parts.get(of))));
      held.addAll(flats);
      sumUp(flats);
      divide(flats);
      handDown(flats, held);
      threads.onEach(
          of -> {
            kernels.get(of).unflatten(flats.get(of), parts.get(of));
            return of;
          });
    }
  }

  /** The sum ends at the first replica. */
  private void sumUp(List<NDArray> flats) {
    for (int step = 1; step < flats.size(); step *= 2) {
      int distance = step;
      threads.onEach(
          to -> {
            if (to % (2 * distance) == 0 && to + distance < flats.size()) {
              kernels.get(to).add(flats.get(to), flats.get(to + distance));
            }
            return to;
          });
    }
  }

  /** The first replica divides its sum, on its own thread. */
  private void divide(List<NDArray> flats) {
    threads.onEach(
        of -> {
          if (of == 0) {
            kernels.get(of).divide(flats.get(of), flats.size());
          }
          return of;
        });
  }

  /** Copies the first replica's numbers to all others. Replicas of one device share a copy. */
  private void handDown(List<NDArray> flats, NDList held) {
    for (int step = Integer.highestOneBit(flats.size()); step >= 1; step /= 2) {
      int distance = step;
      List<NDArray> received =
          threads.onEach(
              to ->
                  to % (2 * distance) == distance
                      ? kernels.get(to).here(flats.get(to - distance))
                      : flats.get(to));
      for (int to = distance; to < flats.size(); to += 2 * distance) {
        flats.set(to, received.get(to));
        if (received.get(to) != flats.get(to - distance)) {
          held.add(received.get(to));
        }
      }
    }
  }

  @Override
  public void close() {
    kernels.forEach(ReplicaKernels::close);
  }
}
