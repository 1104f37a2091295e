package org.lengthwise.measure.perplexity;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.task.DataIdentity;

/** The last tokens of each document of a test split, its end of text included. */
public final class DocumentEnds {
  private final long[] ends;
  private final int last;

  private DocumentEnds(long[] ends, int last) {
    this.ends = ends;
    this.last = last;
  }

  /** {@return an object without documents} */
  public static DocumentEnds none() {
    return new DocumentEnds(new long[0], 1);
  }

  /**
   * {@return the last tokens of the documents that results were measured on; without documents if
   * the data are not named, or the results are of several test sets}
   *
   * @param data the shard folder
   * @param last the number of tokens of each document
   * @throws DataFormatException if the results are of another test split
   */
  public static DocumentEnds of(@Nullable String data, int last, List<EvaluationResult> results) {
    Set<String> measured =
        results.stream().map(EvaluationResult::dataSha256).collect(Collectors.toSet());
    if (data == null || measured.size() != 1) {
      return none();
    }
    try (ShardFolder shards = ShardFolder.open(data)) {
      String found = DataIdentity.of(shards.manifest()).sha256();
      if (!measured.contains(found)) {
        throw new DataFormatException(
            data,
            "the shards that were measured, with the checksum " + measured.iterator().next(),
            "shards with the checksum " + found,
            "name the measured shards in document_end.data");
      }
      long[] bounds = Segments.ofTest(shards, true).bounds();
      return new DocumentEnds(Arrays.copyOfRange(bounds, 1, bounds.length), last);
    }
  }

  /** {@return whether a token is one of the last tokens of its document} */
  public boolean contains(long target) {
    int found = Arrays.binarySearch(ends, target + 1);
    int document = found >= 0 ? found : -found - 1;
    return document < ends.length && ends[document] - target <= last;
  }
}
