package org.lengthwise.dataprep.shard;

import org.jspecify.annotations.Nullable;
import org.lengthwise.error.ConfigException;

/**
 * A shard folder that is opened when it is first needed. A command passes it to tasks and
 * measurements, and those that read no shards leave it closed. For one thread.
 */
public final class ShardSource implements AutoCloseable {
  private final @Nullable String uri;
  private @Nullable ShardFolder opened;

  /** A folder that is not open, as in {@link ShardFolder#open}; null if the user names none. */
  public ShardSource(@Nullable String uri) {
    this.uri = uri;
  }

  /** Opens the folder, unless it is open. */
  public ShardFolder folder() {
    if (uri == null) {
      throw new ConfigException(
          "--data",
          "a shard folder, the output of prepare",
          "nothing",
          "name a folder, or configure a task on strings, which needs none");
    }
    if (opened == null) {
      opened = ShardFolder.open(uri);
    }
    return opened;
  }

  @Override
  public void close() {
    if (opened != null) {
      opened.close();
      opened = null;
    }
  }
}
