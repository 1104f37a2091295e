package org.lengthwise.dataprep.mapreduce;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.lengthwise.dataprep.prepare.PrepareSummary;
import org.lengthwise.dataprep.prepare.PreparedParts;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;

/**
 * What a task left, stored beside it.
 *
 * @param splits what it wrote of each split
 * @param textBytes the length of its documents in UTF-8
 * @param rejects how many records it set aside
 * @param passedOver how many archive entries were binary or empty
 * @param duplicates how many documents were left out because their text had occurred
 * @param files the identities of the files that it read whole
 */
record UnitResult(
    Map<Split, SplitEntry> splits,
    long textBytes,
    long rejects,
    long passedOver,
    long duplicates,
    List<InputEntry> files) {

  static final String FILE = "result.json";

  /** Takes copies. */
  UnitResult {
    splits = Map.copyOf(splits);
    files = List.copyOf(files);
  }

  static UnitResult of(PreparedParts prepared) {
    PrepareSummary summary = prepared.summary();
    return new UnitResult(
        summary.splits(),
        summary.textBytes(),
        summary.rejects(),
        summary.passedOver(),
        summary.duplicates(),
        prepared.files());
  }

  static UnitResult ofDigests(List<InputEntry> files) {
    Map<Split, SplitEntry> nothing = new EnumMap<>(Split.class);
    for (Split split : Split.values()) {
      nothing.put(split, SplitEntry.of(List.of()));
    }
    return new UnitResult(nothing, 0, 0, 0, 0, files);
  }
}
