package org.lengthwise.dataprep.tokenizer;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Objects;
import org.lengthwise.artifact.Sha256;

/** The bytes of UTF-8 as ids 0 to 255, and id 256 as end-of-text. */
public final class BytesTokenizer implements Tokenizer {

  private static final int END_OF_TEXT = 256;

  /** Its SHA-256 is the identity of this tokenizer. It changes if the mapping changes. */
  private static final String DEFINITION = "lengthwise bytes: ids 0-255 UTF-8, id 256 end of text";

  @Override
  public String name() {
    return "bytes";
  }

  @Override
  public String sha256() {
    return Sha256.of(DEFINITION.getBytes(StandardCharsets.UTF_8));
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
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    int[] ids = new int[bytes.length];
    for (int i = 0; i < bytes.length; i++) {
      ids[i] = Byte.toUnsignedInt(bytes[i]);
    }
    return ids;
  }

  @Override
  public String decode(int[] ids) {
    byte[] bytes = new byte[ids.length];
    int length = 0;
    for (int id : ids) {
      if (id < 0 || id > END_OF_TEXT) {
        throw new IllegalArgumentException("expected an id of 0 to 256, found " + id);
      }
      if (id != END_OF_TEXT) {
        bytes[length++] = (byte) id;
      }
    }
    return new String(Arrays.copyOf(bytes, length), StandardCharsets.UTF_8);
  }

  @Override
  public int numBytes(int id) {
    return Objects.checkIndex(id, vocabularySize()) == END_OF_TEXT ? 0 : 1;
  }

  @Override
  public void close() {}
}
