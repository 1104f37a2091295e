package org.lengthwise.dataprep.tokenizer;

import com.knuddels.jtokkit.api.IntArrayList;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.lengthwise.artifact.Sha256;

/**
 * GPT-2's byte-pair encoding (Radford et al. 2019): 50,256 merged tokens and end-of-text.
 *
 * <p>The ids equal those of the Hugging Face engine, on every JDK. Two files decide them, and the
 * SHA-256 of both is the identity of this tokenizer: OpenAI's ranks {@code r50k_base.tiktoken},
 * from the jar of JTokkit, and the table of {@link CharacterClasses}. The characters {@code
 * <|endoftext|>} in a document are encoded as characters, never as id 50256.
 */
public final class Gpt2Tokenizer implements Tokenizer {

  private static final String RANKS = "/com/knuddels/jtokkit/r50k_base.tiktoken";
  private static final int END_OF_TEXT = 50256;

  /** English has more bytes per token, so the list of ids rarely grows. */
  private static final int BYTES_PER_ID = 3;

  private final Gpt2Splitter splitter = new Gpt2Splitter(new CharacterClasses());
  private final TokenBytes tokens = new TokenBytes(tokensByRank());
  private final PieceEncoder pieces = new PieceEncoder(tokens);
  private final String sha256 = identity();

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
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    IntArrayList ids = new IntArrayList(utf8.length / BYTES_PER_ID + 1);
    int start = 0;
    while (start < utf8.length) {
      int end = splitter.endOfPiece(utf8, start);
      pieces.encode(utf8, start, end, ids);
      start = end;
    }
    return ids.toArray();
  }

  @Override
  public String decode(int[] ids) {
    int numBytes = 0;
    for (int id : ids) {
      if (id < 0 || id > END_OF_TEXT) {
        throw new IllegalArgumentException("expected an id of 0 to 50256, found " + id);
      }
      numBytes += id == END_OF_TEXT ? 0 : tokens.length(id);
    }
    byte[] utf8 = new byte[numBytes];
    int at = 0;
    for (int id : ids) {
      at = id == END_OF_TEXT ? at : tokens.copy(id, utf8, at);
    }
    return new String(utf8, StandardCharsets.UTF_8);
  }

  @Override
  public int numBytes(int id) {
    return id == END_OF_TEXT ? 0 : tokens.length(id);
  }

  @Override
  public void close() {}

  /**
   * {@return the file of published ranks: on each line a token's bytes in Base64, a space, and its
   * id}
   */
  static byte[] ranks() {
    return resource(IntArrayList.class, RANKS);
  }

  static byte[] resource(Class<?> neighbour, String name) {
    try (InputStream in = neighbour.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the class path holds no " + name);
      }
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<byte[]> tokensByRank() {
    List<byte[]> tokens = new ArrayList<>(END_OF_TEXT);
    String lines = new String(ranks(), StandardCharsets.US_ASCII);
    lines
        .lines()
        .forEach(
            line -> {
              int space = line.indexOf(' ');
              if (Integer.parseInt(line, space + 1, line.length(), 10) != tokens.size()) {
                throw new IllegalStateException("expected ranks in order, found " + line);
              }
              tokens.add(Base64.getDecoder().decode(line.substring(0, space)));
            });
    return tokens;
  }

  private static String identity() {
    MessageDigest digest = Sha256.newDigest();
    digest.update(ranks());
    digest.update(CharacterClasses.file());
    return Sha256.hex(digest);
  }
}
