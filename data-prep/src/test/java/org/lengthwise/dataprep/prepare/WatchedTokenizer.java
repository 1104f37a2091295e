package org.lengthwise.dataprep.prepare;

import java.util.function.Consumer;
import org.lengthwise.dataprep.tokenizer.BytesTokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/** Bytes, by one thread at a time, with somebody who is shown each text before it is encoded. */
final class WatchedTokenizer implements Tokenizer {

  private final Tokenizer bytes = new BytesTokenizer();
  private final Consumer<String> watcher;

  WatchedTokenizer(Consumer<String> watcher) {
    this.watcher = watcher;
  }

  @Override
  public synchronized int[] encode(String text) {
    watcher.accept(text);
    return bytes.encode(text);
  }

  @Override
  public String name() {
    return bytes.name();
  }

  @Override
  public String sha256() {
    return bytes.sha256();
  }

  @Override
  public int vocabularySize() {
    return bytes.vocabularySize();
  }

  @Override
  public int endOfText() {
    return bytes.endOfText();
  }

  @Override
  public String decode(int[] ids) {
    return bytes.decode(ids);
  }

  @Override
  public void close() {
    bytes.close();
  }
}
