package org.lengthwise.dataprep.shard;

import org.jspecify.annotations.Nullable;

/**
 * A shard folder that is opened when it is first needed. A command passes it to tasks and
 * measurements, and those that read no shards leave it closed. For one thread.
 */
public final class ShardSource implements AutoCloseable {
  private final String uri;
  private @Nullable ShardFolder opened;

  /**
   * A folder that is not open.
   *
   * @param uri as in {@link ShardFolder#open}
   */
  public ShardSource(String uri) {
    this.uri = uri;
  }

  /**
   * Opens the folder, unless it is open.
   *
   * @return the folder, which this source closes
   * @throws org.lengthwise.error.ConfigException if it is not a complete folder
   */
  public ShardFolder folder() {
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
