package org.lengthwise.dataprep.tokenizer;

import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.lengthwise.error.DataFormatException;

/**
 * Any tokenizer that a Hugging Face {@code tokenizer.json} describes, executed by the Rust library
 * of that format.
 *
 * <p>Ids are those of the file. Special tokens in a text are encoded as characters, and decode to
 * nothing. Decoding restores the text only if the tokenizer is reversible: byte-level tokenizers
 * are, lower-casing ones are not.
 *
 * <p>Implementation note: DJL's class of the same name also copies the string, offset and mask of
 * each token into Java, which takes half as long as the encoding itself. So this class calls the
 * native methods for the ids only. The native tokenizer lives until {@link #close}; no finaliser
 * frees it while a thread encodes.
 */
public final class HuggingFaceTokenizer implements Tokenizer {

  private static final long CLOSED = 0;

  /**
   * The engine needs over 100 bytes of memory per character, so longer texts are split if possible.
   */
  private static final int PART_LENGTH = 1 << 18;

  private final TokenizerFile file;
  private final int partLength;
  private final TokenizersLibrary engine = TokenizersLibrary.LIB;
  private final AtomicLong tokenizer;

  /**
   * Reads the file and loads the native library.
   *
   * @throws org.lengthwise.error.ConfigException if the file cannot be read, is not a tokenizer, or
   *     has no end-of-text token
   */
  public HuggingFaceTokenizer(Path path) {
    this(path, PART_LENGTH);
  }

  /** Encodes texts in parts of about this many characters if that cannot change ids. */
  HuggingFaceTokenizer(Path path, int partLength) {
    this.partLength = partLength;
    file = TokenizerFile.read(path);
    try {
      LibUtils.checkStatus();
      tokenizer = new AtomicLong(engine.createTokenizerFromString(file.engineJson()));
    } catch (RuntimeException e) {
      throw TokenizerFile.unusable(path, String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public String name() {
    return file.path().getFileName().toString();
  }

  @Override
  public String sha256() {
    return file.sha256();
  }

  @Override
  public int vocabularySize() {
    return file.vocabularySize();
  }

  @Override
  public int largestTextId() {
    return Math.max(file.ids().largest(), endOfText());
  }

  @Override
  public int endOfText() {
    return file.endOfText();
  }

  @Override
  public int[] encode(String text) {
    if (!file.mayBeCut() || text.length() <= partLength) {
      return encodeWhole(text);
    }
    IntStream.Builder ids = IntStream.builder();
    int start = 0;
    while (start < text.length()) {
      int end = SafeCuts.atOrAfter(start + partLength, text);
      for (int id : encodeWhole(text.substring(start, end))) {
        ids.add(id);
      }
      start = end;
    }
    return ids.build().toArray();
  }

  private int[] encodeWhole(String text) {
    long handle = open();
    long encoding;
    try {
      encoding = engine.encode(handle, text, false);
    } catch (RuntimeException e) { // an unknown word, and the file has no token for it
      throw TokenizerFile.unusable(file.path(), String.valueOf(e.getMessage()), e);
    }
    try {
      return withoutEndOfText(file.ids().inFile(engine.getTokenIds(encoding)));
    } finally {
      engine.deleteEncoding(encoding);
    }
  }

  /** Rejects end-of-text inside a text. It can only be the unknown token of the tokenizer. */
  private int[] withoutEndOfText(int[] ids) {
    for (int id : ids) {
      if (id == endOfText()) {
        throw new DataFormatException(
            "a text",
            "a text that " + name() + " encodes without its end-of-text token",
            "the end-of-text token, which ends documents, inside the text",
            "remove the text, or use a tokenizer with another unknown token");
      }
    }
    return ids;
  }

  @Override
  public String decode(int[] ids) {
    int[] text = Arrays.stream(ids).filter(id -> id != endOfText()).toArray();
    return engine.decode(open(), file.ids().inEngine(text), false);
  }

  @Override
  public int numBytes(int id) {
    return file.text().numBytes(id);
  }

  @Override
  public void close() {
    long handle = tokenizer.getAndSet(CLOSED);
    if (handle != CLOSED) {
      engine.deleteTokenizer(handle);
    }
  }

  private long open() {
    long handle = tokenizer.get();
    if (handle == CLOSED) {
      throw new IllegalStateException("the tokenizer " + name() + " is closed");
    }
    return handle;
  }
}
