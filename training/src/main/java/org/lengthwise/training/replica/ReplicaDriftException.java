package org.lengthwise.training.replica;

/**
 * Replicas whose weights or moments are no longer the same: a fault of the software or of a device.
 */
public final class ReplicaDriftException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ReplicaDriftException(int replica, String tensor) {
    super(
        "%s of replica %d differs from that of replica 0".formatted(tensor, replica)
            + "; the run stops before it writes them, go on from the last checkpoint with --resume");
  }
}
