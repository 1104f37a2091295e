package org.lengthwise.task;

import org.lengthwise.dataprep.shard.TokenStream;

/** Tokens of a small grammar that is easy to learn. */
public record RepeatingTokens(long numTokens, int vocabulary) implements TokenStream {

  @Override
  public void read(long offset, int[] destination, int from, int count) {
    for (int i = 0; i < count; i++) {
      long position = offset + i;
      destination[from + i] = (int) ((position * position / 3 + position) % vocabulary);
    }
  }
}
