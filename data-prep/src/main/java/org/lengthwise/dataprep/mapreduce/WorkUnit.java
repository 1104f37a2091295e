package org.lengthwise.dataprep.mapreduce;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.source.Part;

/**
 * What one task does.
 *
 * @param number its position in the plan, counted from 0
 * @param work what it does with its parts
 * @param parts what it reads, in order; at least one
 */
record WorkUnit(int number, Work work, List<Part> parts) {

  /** What is done with parts. */
  enum Work {
    /** Their documents become shards. */
    PREPARE,
    /** Whole files, which other units read in parts, are digested for the manifest. */
    DIGEST
  }

  /** Checks that there is something to do. */
  WorkUnit {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a unit has at least one part");
    }
  }

  /** How much input it reads. */
  long numBytes() {
    return parts.stream().mapToLong(Part::bytes).sum();
  }

  /** What a unit's task leaves is named so, be it a file or a folder. */
  static String fileName(int number) {
    return String.format(Locale.ROOT, "unit-%05d", number);
  }

  /**
   * Divides a corpus. Units that prepare come first, in the order of reading; those that digest
   * take a file each.
   *
   * @param taskBytes what a unit does not exceed, unless one part alone does
   */
  static List<WorkUnit> plan(Corpus corpus, long taskBytes) {
    List<WorkUnit> units = new ArrayList<>();
    List<Part> open = new ArrayList<>();
    long openBytes = 0;
    Set<String> readWhole = new HashSet<>();
    for (Part part : corpus.parts()) {
      if (!open.isEmpty() && openBytes + part.bytes() > taskBytes) {
        units.add(new WorkUnit(units.size(), Work.PREPARE, open));
        open = new ArrayList<>();
        openBytes = 0;
      }
      open.add(part);
      openBytes += part.bytes();
      if (part.coversFile()) {
        readWhole.add(part.uri());
      }
    }
    if (!open.isEmpty()) {
      units.add(new WorkUnit(units.size(), Work.PREPARE, open));
    }
    for (Part file : corpus.wholeFiles()) {
      if (!readWhole.contains(file.uri())) {
        units.add(new WorkUnit(units.size(), Work.DIGEST, List.of(file)));
      }
    }
    return units;
  }
}
