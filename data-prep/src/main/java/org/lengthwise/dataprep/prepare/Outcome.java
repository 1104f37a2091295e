package org.lengthwise.dataprep.prepare;

import java.nio.IntBuffer;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.source.Bytes;
import org.lengthwise.dataprep.source.Origin;

/** What became of a raw document. */
sealed interface Outcome {

  /**
   * It is a document of the output.
   *
   * @param origin where it was found
   * @param split the split that its text falls into
   * @param tokens its tokens, without end-of-text: the whole of an array
   * @param numBytes the length of its text in UTF-8
   * @param key what it shares with documents of the same text; null when nobody asks
   */
  record Tokenised(
      Origin origin, Split split, IntBuffer tokens, int numBytes, @Nullable TextKey key)
      implements Outcome {}

  /**
   * It is a document that is left out, because an earlier one is known to have the same text.
   *
   * @param origin where it was found
   */
  record Repeated(Origin origin) implements Outcome {}

  /**
   * It is malformed and goes to the rejects file.
   *
   * @param origin where it was found
   * @param reason what is wrong with it
   * @param content what it is, as far as it was kept
   */
  record Rejected(Origin origin, String reason, Bytes content) implements Outcome {}

  /**
   * It is an archive's entry that is binary or empty.
   *
   * @param origin where it was found
   */
  record PassedOver(Origin origin) implements Outcome {}
}
