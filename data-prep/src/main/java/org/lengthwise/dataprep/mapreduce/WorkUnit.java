package org.lengthwise.dataprep.mapreduce;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.lengthwise.dataprep.source.Corpus;
import org.lengthwise.dataprep.source.Part;

/** The work of one task. */
record WorkUnit(int number, Kind kind, List<Part> parts) {

  enum Kind {
    /** The documents of the parts become shards. */
    PREPARE,
    /**
     * The checksums of whole files are computed for the manifest, because other units read these
     * files in parts.
     */
    DIGEST
  }

  WorkUnit {
    parts = List.copyOf(parts);
    if (parts.isEmpty()) {
      throw new IllegalArgumentException("a unit has at least one part");
    }
  }

  long numBytes() {
    return parts.stream().mapToLong(Part::bytes).sum();
  }

  /** The name of a file or folder that a unit's task writes. */
  static String fileName(int number) {
    return String.format(Locale.ROOT, "unit-%05d", number);
  }

  /**
   * Divides a corpus. Units that prepare come first, in the order of reading. Units that compute
   * checksums follow, one for each file.
   *
   * @param taskBytes the largest size of a unit in bytes; only a unit of one part may be larger
   */
  static List<WorkUnit> plan(Corpus corpus, long taskBytes) {
    List<WorkUnit> units = new ArrayList<>();
    List<Part> open = new ArrayList<>();
    long openBytes = 0;
    Set<String> readWhole = new HashSet<>();
    for (Part part : corpus.parts(taskBytes)) {
      if (!open.isEmpty() && openBytes + part.bytes() > taskBytes) {
        units.add(new WorkUnit(units.size(), Kind.PREPARE, open));
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
      units.add(new WorkUnit(units.size(), Kind.PREPARE, open));
    }
    for (Part file : corpus.wholeFiles()) {
      if (!readWhole.contains(file.uri())) {
        units.add(new WorkUnit(units.size(), Kind.DIGEST, List.of(file)));
      }
    }
    return units;
  }
}
