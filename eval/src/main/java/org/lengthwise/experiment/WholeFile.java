package org.lengthwise.experiment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.config.LayeredConfig;

/** An experiment file that needs no other file. */
public final class WholeFile {
  private WholeFile() {}

  /**
   * {@return the content of an experiment file, whose columns and blocks have the keys of their
   * files, and absolute paths of models}
   *
   * @param settings overrides, as {@code key.path=value}
   * @throws org.lengthwise.error.ConfigException if a file cannot be read
   */
  public static ObjectNode of(Path file, List<String> settings) {
    ObjectNode tree = ConfigLoader.load(file, settings).tree();
    for (String list : List.of("/experiment/columns", "/experiment/blocks")) {
      if (tree.at(list) instanceof ArrayNode entries) {
        for (int i = 0; i < entries.size(); i++) {
          entries.set(i, whole(entries.get(i), file.toAbsolutePath()));
        }
      }
    }
    return tree;
  }

  private static JsonNode whole(JsonNode entry, Path file) {
    Column column = Column.of(entry);
    if (column.folder() != null) {
      return ((ObjectNode) entry).put("import", file.resolveSibling(column.folder()).toString());
    }
    if (column.files().isEmpty()) {
      return entry;
    }
    LayeredConfig keys = ConfigLoader.load(file.resolveSibling(column.files().get(0)), List.of());
    for (String name : column.files().subList(1, column.files().size())) {
      keys = keys.overlay(file.resolveSibling(name));
    }
    for (Map.Entry<String, JsonNode> own : entry.properties()) {
      keys = keys.with(List.of(own.getKey() + "=" + own.getValue()));
    }
    return keys.without("files").tree();
  }
}
