package org.lengthwise.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

public final class Differences {
  private Differences() {}

  /**
   * Compares the configuration of an artifact with that of the present command.
   *
   * @return a line for each key whose values differ, such as {@code steps was 300, is now 600}
   */
  public static List<String> between(JsonNode stored, JsonNode requested) {
    Map<String, String> before = new TreeMap<>();
    Map<String, String> now = new TreeMap<>();
    flatten("", stored, before);
    flatten("", requested, now);
    TreeSet<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(now.keySet());
    List<String> differences = new ArrayList<>();
    for (String key : keys) {
      String old = before.getOrDefault(key, "nothing");
      String present = now.getOrDefault(key, "nothing");
      if (!old.equals(present)) {
        differences.add(key + " was " + old + ", is now " + present);
      }
    }
    return differences;
  }

  private static void flatten(String path, JsonNode node, Map<String, String> leaves) {
    if (node.isObject()) {
      node.properties()
          .forEach(
              entry ->
                  flatten(
                      path.isEmpty() ? entry.getKey() : path + "." + entry.getKey(),
                      entry.getValue(),
                      leaves));
    } else if (node.isArray() && node.size() > 0 && node.get(0).isContainerNode()) {
      for (int i = 0; i < node.size(); i++) {
        flatten(path + "[" + i + "]", node.get(i), leaves);
      }
    } else {
      leaves.put(path, node.toString());
    }
  }
}
