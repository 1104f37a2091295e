package org.lengthwise.dataprep.tokenizer;

import com.knuddels.jtokkit.Encodings;
import com.knuddels.jtokkit.api.Encoding;
import com.knuddels.jtokkit.api.EncodingType;
import com.knuddels.jtokkit.api.IntArrayList;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.lengthwise.dataprep.artifact.Sha256;

/**
 * GPT-2's byte-pair encoding (Radford et al. 2019): 50,256 merged tokens and end-of-text.
 *
 * <p>Implementation note: JTokkit carries the ranks as the file {@code r50k_base.tiktoken}, byte
 * for byte the one that OpenAI publishes; its digest is this tokenizer's identity. Encoding takes
 * JTokkit's ordinary path, in which the characters {@code <|endoftext|>} of a document are
 * characters and never id 50256.
 */
public final class Gpt2Tokenizer implements Tokenizer {

  private static final String RANKS = "/com/knuddels/jtokkit/r50k_base.tiktoken";
  private static final int END_OF_TEXT = 50256;

  private final Encoding encoding;
  private final String sha256;

  /** Loads the ranks from the class path. */
  public Gpt2Tokenizer() {
    encoding = Encodings.newLazyEncodingRegistry().getEncoding(EncodingType.R50K_BASE);
    sha256 = Sha256.of(ranks());
  }

  @Override
  public String name() {
    return "gpt2";
  }

  @Override
  public String sha256() {
    return sha256;
  }

  @Override
  public int vocabularySize() {
    return END_OF_TEXT + 1;
  }

  @Override
  public int endOfText() {
    return END_OF_TEXT;
  }

  @Override
  public int[] encode(String text) {
    return encoding.encodeOrdinary(text).toArray();
  }

  @Override
  public String decode(int[] ids) {
    IntArrayList ordinary = new IntArrayList(ids.length);
    for (int id : ids) {
      if (id != END_OF_TEXT) {
        ordinary.add(id);
      }
    }
    return encoding.decode(ordinary);
  }

  @Override
  public void close() {}

  /**
   * The published ranks: on each line a token's bytes in Base64, a space, and its id.
   *
   * @return the content of the file
   */
  static byte[] ranks() {
    try (InputStream in = Encoding.class.getResourceAsStream(RANKS)) {
      if (in == null) {
        throw new IllegalStateException("JTokkit's jar holds no " + RANKS);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
