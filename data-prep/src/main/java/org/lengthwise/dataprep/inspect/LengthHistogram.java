package org.lengthwise.dataprep.inspect;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.ArrayList;
import java.util.List;

/**
 * The number of documents by length, in bins that double.
 *
 * @param bins the bins from the shortest document to the longest, including empty ones between
 *     them; none if there is no document
 */
public record LengthHistogram(@JsonValue List<Bin> bins) {

  public LengthHistogram {
    bins = List.copyOf(bins);
  }

  /**
   * The documents of a range of lengths.
   *
   * @param from the smallest length in tokens, a power of two
   * @param to the length after the largest one
   */
  public record Bin(long from, long to, long documents, long tokens) {}

  /** Counts documents. For use by one thread. */
  public static final class Counter {
    private final long[] documents = new long[Integer.SIZE];
    private final long[] tokens = new long[Integer.SIZE];

    public void add(int numTokens) {
      int bin = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(numTokens);
      documents[bin]++;
      tokens[bin] += numTokens;
    }

    public LengthHistogram histogram() {
      List<Bin> bins = new ArrayList<>();
      int pending = 0;
      for (int bin = 0; bin < documents.length; bin++) {
        if (documents[bin] == 0) {
          pending++;
          continue;
        }
        int first = bins.isEmpty() ? bin : bin - pending;
        for (int filled = first; filled <= bin; filled++) {
          bins.add(new Bin(1L << filled, 2L << filled, documents[filled], tokens[filled]));
        }
        pending = 0;
      }
      return new LengthHistogram(bins);
    }
  }
}
