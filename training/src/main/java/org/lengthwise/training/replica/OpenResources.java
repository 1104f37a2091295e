package org.lengthwise.training.replica;

import java.util.ArrayDeque;
import java.util.Deque;

/** Resources that are closed together, the latest first. */
public final class OpenResources implements AutoCloseable {
  private final Deque<Resource> opened = new ArrayDeque<>();

  /** Closes without a checked exception. */
  @FunctionalInterface
  public interface Resource {
    void close();
  }

  public <T> T add(T resource, Resource close) {
    opened.push(close);
    return resource;
  }

  /** Closes every resource, even after a failure. The first failure is thrown at the end. */
  @Override
  public void close() {
    RuntimeException failure = null;
    while (!opened.isEmpty()) {
      try {
        opened.pop().close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }
}
