package org.lengthwise.training.replica;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import java.util.ArrayList;
import java.util.List;

/**
 * Gradients summed pairwise up a binary tree of replicas, a flat bucket of tensors at a time, and
 * copied to all of them. No device receives from more than one other at a time, and the order of
 * additions is fixed, so that equal gradients have equal means.
 */
final class TreeExchange implements GradientExchange {
  /** The numbers of a bucket: 64 MB in float32. */
  private static final long BUCKET = 1L << 24;

  private final List<ReplicaKernels> kernels = new ArrayList<>();
  private final long bucket;

  TreeExchange(List<Device> devices) {
    this(devices, BUCKET);
  }

  TreeExchange(List<Device> devices, long bucket) {
    this.bucket = bucket;
    try {
      devices.forEach(device -> kernels.add(new ReplicaKernels(device)));
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  @Override
  public void average(List<List<NDArray>> gradients) {
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

  /** At least one tensor, and as many as fit. */
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
    List<NDArray> flats = new ArrayList<>();
    try {
      for (int replica = 0; replica < parts.size(); replica++) {
        flats.add(kernels.get(replica).flatten(parts.get(replica)));
      }
      for (int step = 1; step < flats.size(); step *= 2) {
        for (int to = 0; to + step < flats.size(); to += 2 * step) {
          kernels.get(to).add(flats.get(to), flats.get(to + step));
        }
      }
      kernels.get(0).divide(flats.get(0), flats.size());
      for (int replica = 0; replica < parts.size(); replica++) {
        kernels.get(replica).unflatten(flats.get(0), parts.get(replica));
      }
    } finally {
      flats.forEach(NDArray::close);
    }
  }

  @Override
  public void close() {
    kernels.forEach(ReplicaKernels::close);
  }
}
