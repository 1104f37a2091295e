package org.lengthwise.dataprep.inspect;

import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToLongFunction;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;

/**
 * The counts of a shard folder.
 *
 * @param tokens the number of tokens in all splits, with end-of-text
 * @param textBytes the length of all text in UTF-8 bytes
 * @param bytesPerToken the mean length of a token's text, without end-of-text tokens; 0 if there is
 *     no text
 */
public record ShardSummary(
    long documents,
    long tokens,
    long textBytes,
    double bytesPerToken,
    Map<Split, SplitSummary> splits,
    LengthHistogram lengths) {

  public ShardSummary {
    splits = Collections.unmodifiableMap(new EnumMap<>(splits));
  }

  public SplitSummary split(Split split) {
    return Objects.requireNonNull(splits.get(split));
  }

  /** Counts a folder. This reads the lengths of all documents. */
  public static ShardSummary of(ShardFolder folder) {
    Manifest manifest = folder.manifest();
    long documents = sum(manifest, SplitEntry::documents);
    long tokens = sum(manifest, SplitEntry::tokens);
    LengthHistogram.Counter lengths = new LengthHistogram.Counter();
    Map<Split, SplitSummary> splits = new EnumMap<>(Split.class);
    long textBytes = 0;
    for (Split split : Split.values()) {
      long ofSplit = textBytes(folder, split, lengths);
      SplitEntry entry = manifest.split(split);
      splits.put(
          split,
          new SplitSummary(
              entry.documents(),
              entry.tokens(),
              ofSplit,
              ratio(entry.documents(), documents),
              ratio(entry.tokens(), tokens)));
      textBytes += ofSplit;
    }
    return new ShardSummary(
        documents,
        tokens,
        textBytes,
        ratio(textBytes, tokens - documents),
        splits,
        lengths.histogram());
  }

  private static long textBytes(ShardFolder folder, Split split, LengthHistogram.Counter lengths) {
    long[] textBytes = {0};
    folder.visitLengths(
        split,
        (numTokens, numBytes) -> {
          lengths.add(numTokens);
          textBytes[0] += numBytes;
        });
    return textBytes[0];
  }

  private static long sum(Manifest manifest, ToLongFunction<SplitEntry> count) {
    return manifest.splits().values().stream().mapToLong(count).sum();
  }

  private static double ratio(long part, long whole) {
    return whole == 0 ? 0 : (double) part / whole;
  }

  /**
   * The counts of a split.
   *
   * @param tokens the number of tokens, with end-of-text
   */
  public record SplitSummary(
      long documents, long tokens, long textBytes, double shareOfDocuments, double shareOfTokens) {}
}
