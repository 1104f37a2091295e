package org.lengthwise.dataprep.tokenizer;

import ai.djl.huggingface.tokenizers.jni.LibUtils;
import ai.djl.huggingface.tokenizers.jni.TokenizersLibrary;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.lengthwise.dataprep.DataFormatException;

/**
 * Any tokenizer that a Hugging Face {@code tokenizer.json} describes, run by the Rust library that
 * the format belongs to.
 *
 * <p>End-of-text is found among the file's added tokens. Special tokens spelled out in a text are
 * characters like any others. Decoding gives the text back as far as the described tokenizer keeps
 * it: byte-level ones do, lower-casing ones cannot.
 *
 * <p>Implementation note: DJL's own class of this name would also bring every token's string, place
 * and mask into Java, which takes half as long again as finding the ids. So the native methods are
 * called for the ids alone. The engine's tokenizer lives until {@link #close}; no finaliser frees
 * it while another thread still encodes.
 */
public final class HuggingFaceTokenizer implements Tokenizer {

  private static final long CLOSED = 0;

  /**
   * The engine needs over a hundred bytes of memory a byte; more than this in parts, if it may be.
   */
  private static final int PART_LENGTH = 1 << 18;

  private final TokenizerFile file;
  private final int partLength;
  private final TokenizersLibrary engine = TokenizersLibrary.LIB;
  private final AtomicLong tokenizer;

  /**
   * Reads the file and loads the native library.
   *
   * @param path a {@code tokenizer.json}
   * @throws org.lengthwise.dataprep.ConfigException if the file cannot be read, is no tokenizer, or
   *     names no end-of-text token
   */
  public HuggingFaceTokenizer(Path path) {
    this(path, PART_LENGTH);
  }

  /** Hands texts over in parts of about this many characters, where that cannot change ids. */
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
    long encoding = engine.encode(open(), text, false);
    try {
      return withoutEndOfText(narrow(engine.getTokenIds(encoding)));
    } finally {
      engine.deleteEncoding(encoding);
    }
  }

  /** Refuses what is left of the ways to that id: an unknown token that is also end-of-text. */
  private int[] withoutEndOfText(int[] ids) {
    for (int id : ids) {
      if (id == endOfText()) {
        throw new DataFormatException(
            "a text",
            "one that " + name() + " does not encode to its end-of-text token",
            "that token, which marks where documents end, inside the text",
            "take the text out, or use a tokenizer whose unknown token is another");
      }
    }
    return ids;
  }

  private static int[] narrow(long[] ids) {
    int[] narrow = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      narrow[i] = Math.toIntExact(ids[i]);
    }
    return narrow;
  }

  @Override
  public String decode(int[] ids) {
    long[] ordinary = Arrays.stream(ids).filter(id -> id != endOfText()).asLongStream().toArray();
    return engine.decode(open(), ordinary, false);
  }

  /** Frees the engine's tokenizer. No thread may be encoding or decoding any more. */
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
