package org.lengthwise.dataprep.prepare;

import java.util.function.Consumer;
import org.lengthwise.dataprep.tokenizer.BytesTokenizer;
import org.lengthwise.dataprep.tokenizer.Tokenizer;

/** Encodes bytes, one thread at a time, and shows each text to a watcher before. */
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
  public int numBytes(int id) {
    return bytes.numBytes(id);
  }

  @Override
  public void close() {
    bytes.close();
  }
}
