package org.lengthwise.ngram;

import java.util.function.LongConsumer;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.lengthwise.dataprep.shard.TokenStream;

/**
 * The positions of a token stream, sorted by the tokens that end there, the newest token first. All
 * occurrences of a gram are neighbours in this order, for every gram length up to n. The positions
 * of the first tokens of the stream have the same order among themselves, so one sort serves models
 * of every order up to n and of every number of tokens.
 *
 * <p>Implementation note: n stable counting sorts, from the oldest token to the newest. Two arrays
 * of positions take 8 bytes a token, and the token itself takes 2 or 4 bytes.
 */
public final class SuffixOrder implements AutoCloseable {
  /** Tokens that are copied from the stream together, and after which progress is reported. */
  private static final int BLOCK = 1 << 16;

  private static final int LARGEST_NARROW = 1 << Short.SIZE;

  private final int order;
  private final int numTokens;
  private final boolean isNarrow;
  private final ArrowBuf tokens;
  private final ArrowBuf positions;

  /**
   * Sorts the first tokens of a stream.
   *
   * @param vocabulary V
   * @param numTokens N, the number of tokens to sort, at most {@link Integer#MAX_VALUE}
   * @param allocator the owner of 10 bytes a token, 12 where V exceeds 65,536; 4 of them only
   *     during the sort
   * @param sorted called repeatedly with the number of tokens sorted so far, up to {@link
   *     #numSorted}; it may throw to stop
   */
  public SuffixOrder(
      int order,
      int vocabulary,
      TokenStream stream,
      long numTokens,
      BufferAllocator allocator,
      LongConsumer sorted) {
    this.order = order;
    this.numTokens = Math.toIntExact(numTokens);
    this.isNarrow = vocabulary <= LARGEST_NARROW;
    this.tokens = allocator.buffer(numTokens * (isNarrow ? Short.BYTES : Integer.BYTES));
    this.positions = allocator.buffer(numTokens * Integer.BYTES);
    try (ArrowBuf other = allocator.buffer(numTokens * Integer.BYTES)) {
      sort(copy(stream, vocabulary), other, sorted);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /**
   * {@return the work of sorting, n N}
   *
   * @param order n
   * @param numTokens N
   */
  public static long numSorted(int order, long numTokens) {
    return order * numTokens;
  }

  private void sort(int[] counts, ArrowBuf other, LongConsumer sorted) {
    // The passes alternate between the buffers, and the last one fills the positions.
    ArrowBuf from = order % 2 == 0 ? positions : other;
    ArrowBuf to = order % 2 == 0 ? other : positions;
    for (int rank = 0; rank < numTokens; rank++) {
      from.setInt((long) rank * Integer.BYTES, rank);
    }
    for (int age = order - 1; age >= 0; age--) {
      long before = (order - 1L - age) * numTokens;
      sort(from, to, age, counts, done -> sorted.accept(before + done));
      ArrowBuf swapped = from;
      from = to;
      to = swapped;
    }
  }

  private int[] copy(TokenStream stream, int vocabulary) {
    int[] counts = new int[vocabulary];
    int[] block = new int[BLOCK];
    for (int first = 0; first < numTokens; first += BLOCK) {
      int size = Math.min(BLOCK, numTokens - first);
      stream.read(first, block, 0, size);
      for (int i = 0; i < size; i++) {
        counts[block[i]]++;
        if (isNarrow) {
          tokens.setShort((first + (long) i) * Short.BYTES, block[i]);
        } else {
          tokens.setInt((first + (long) i) * Integer.BYTES, block[i]);
        }
      }
    }
    return counts;
  }

  /** A stable counting sort by the token at an age; positions without such a token come first. */
  private void sort(ArrowBuf from, ArrowBuf to, int age, int[] counts, LongConsumer sorted) {
    int[] next = new int[counts.length];
    int before = Math.min(age, numTokens);
    int start = before;
    for (int token = 0; token < counts.length; token++) {
      next[token] = start;
      start += counts[token];
    }
    for (int last = numTokens - before; last < numTokens; last++) {
      int token = token(last); // no position has the newest tokens at this age
      for (int later = token + 1; later < counts.length; later++) {
        next[later]--;
      }
    }
    int early = 0;
    for (long rank = 0; rank < numTokens; rank++) {
      int position = from.getInt(rank * Integer.BYTES);
      int slot = position < age ? early++ : next[token(position - age)]++;
      to.setInt((long) slot * Integer.BYTES, position);
      if ((rank + 1) % BLOCK == 0 || rank + 1 == numTokens) {
        sorted.accept(rank + 1);
      }
    }
  }

  int token(int position) {
    return isNarrow
        ? Short.toUnsignedInt(tokens.getShort((long) position * Short.BYTES))
        : tokens.getInt((long) position * Integer.BYTES);
  }

  /** The longest gram that {@link #scan} can report. */
  int order() {
    return order;
  }

  int numTokens() {
    return numTokens;
  }

  interface Grams {
    /**
     * A gram begins. Grams that end with the same tokens nest: a gram of k tokens begins after the
     * gram of its k - 1 newest tokens.
     *
     * @param length k
     * @param position the position of the newest token of one of its occurrences
     */
    void begin(int length, int position);

    /**
     * The latest gram of a length ends.
     *
     * @param length k
     * @param count a(g): for the longest grams the occurrences, for shorter ones the number of
     *     different tokens before an occurrence, where the start of the stream counts as one
     */
    void end(int length, long count);
  }

  /**
   * Reports every different gram of the first tokens of the stream once.
   *
   * @param longest the longest gram to report, at most n
   * @param numTokens the number of first tokens, at most N
   * @param scanned called repeatedly with the number of positions scanned so far, up to N
   */
  void scan(int longest, int numTokens, Grams grams, LongConsumer scanned) {
    long[] counts = new long[longest + 1];
    int open = 0; // the longest gram that has started
    int previous = -1;
    for (int rank = 0; rank < this.numTokens; rank++) {
      int position = positions.getInt((long) rank * Integer.BYTES);
      if ((rank & (BLOCK - 1)) == 0) {
        scanned.accept(rank);
      }
      if (position >= numTokens) {
        continue;
      }
      int shared = previous < 0 ? 0 : shared(previous, position, longest);
      for (; open > shared; open--) {
        grams.end(open, counts[open]);
      }
      int end = Math.min(longest, position + 1);
      for (; open < end; open++) {
        counts[open + 1] = 0;
        grams.begin(open + 1, position);
      }
      // One more token, or the start of the stream, before each gram from the shared one on.
      for (int length = Math.max(1, shared); length < longest && length <= end; length++) {
        counts[length]++;
      }
      if (end == longest) {
        counts[longest]++;
      }
      previous = position;
    }
    for (; open > 0; open--) {
      grams.end(open, counts[open]);
    }
  }

  /** The number of equal tokens at two positions, counted from the newest, up to a limit. */
  private int shared(int one, int other, int longest) {
    int limit = Math.min(longest, 1 + Math.min(one, other));
    int shared = 0;
    while (shared < limit && token(one - shared) == token(other - shared)) {
      shared++;
    }
    return shared;
  }

  @Override
  public void close() {
    positions.close();
    tokens.close();
  }
}
