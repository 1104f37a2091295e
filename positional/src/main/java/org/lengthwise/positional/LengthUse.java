package org.lengthwise.positional;

import java.util.function.LongPredicate;
import java.util.stream.LongStream;

/**
 * Which lengths T a scheme reads, and what changes with T.
 *
 * @param longest the positions of the longest sequence, which callers check before they run a
 *     model; {@link Long#MAX_VALUE} unless the scheme has a table of positions
 * @param keepsResults whether a pass over T + 1 positions has the executed layers of a pass over T,
 *     with the same results at the first T positions, so that a model that generates text can keep
 *     them
 * @param countsLastToken whether a pass that scores a text also reads its last token, which no
 *     score needs: the software that defines a RoPE's own scaling by length counts all tokens
 */
public record LengthUse(long longest, LongPredicate keepsResults, boolean countsLastToken) {
  /** Every length, without a change. */
  public static final LengthUse ANY = new LengthUse(Long.MAX_VALUE, length -> true, false);

  /** {@return whether each pass below a length has the results of a pass over one more} */
  public boolean keepsResultsBelow(long length) {
    return LongStream.range(1, length).allMatch(keepsResults);
  }

  LengthUse and(LengthUse other) {
    return new LengthUse(
        Math.min(longest, other.longest),
        keepsResults.and(other.keepsResults),
        countsLastToken || other.countsLastToken);
  }
}
