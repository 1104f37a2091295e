package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardEntry;
import org.lengthwise.dataprep.shard.Split;

/** The documents of a shard folder with all stored columns, independent of the ends of shards. */
final class Documents {

  private Documents() {}

  /** Each document as one line of its columns, in the order of each split. */
  static Map<Split, List<String>> of(Path folder) throws IOException {
    Map<Split, List<String>> documents = new EnumMap<>(Split.class);
    Manifest manifest = Manifest.read(folder);
    for (Split split : Split.values()) {
      List<String> rows = new ArrayList<>();
      for (ShardEntry shard : manifest.split(split).shards()) {
        addRows(folder.resolve(shard.file()), rows);
      }
      documents.put(split, rows);
    }
    return documents;
  }

  private static void addRows(Path shard, List<String> rows) throws IOException {
    try (RootAllocator allocator = new RootAllocator();
        FileChannel channel = FileChannel.open(shard);
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      while (reader.loadNextBatch()) {
        for (int row = 0; row < root.getRowCount(); row++) {
          StringBuilder columns = new StringBuilder();
          for (var vector : root.getFieldVectors()) {
            columns.append(vector.getObject(row)).append(' ');
          }
          rows.add(columns.toString());
        }
      }
    }
  }
}
