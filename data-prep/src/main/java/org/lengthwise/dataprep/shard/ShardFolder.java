package org.lengthwise.dataprep.shard;

/** A finished shard folder, mapped into memory. */
public final class ShardFolder implements AutoCloseable {

  private ShardFolder() {}

  /**
   * Opens a folder and maps all of its shards.
   *
   * @param uri a local path or a {@code file:} URI
   * @return the open folder
   */
  public static ShardFolder open(String uri) {
    return new ShardFolder();
  }

  /**
   * What the folder holds.
   *
   * @return its manifest
   */
  public Manifest manifest() {
    return pending();
  }

  /**
   * The tokens of one split.
   *
   * @param split which one
   * @return its tokens, readable until this folder is closed
   */
  public TokenStream tokens(Split split) {
    return pending();
  }

  /** Reads every shard in full and compares its checksum with the manifest's. */
  public void verifyChecksums() {
    pending();
  }

  /** Unmaps the shards. */
  @Override
  public void close() {}

  @SuppressWarnings("TypeParameterUnusedInFormals")
  private static <T> T pending() {
    throw new UnsupportedOperationException();
  }
}
