package org.lengthwise.dataprep.config;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

/** What two configurations do not agree on, key by key. */
public final class Differences {
  private Differences() {}

  /**
   * Compares two configurations.
   *
   * @param stored the one an artifact was made with
   * @param asked the one asked for now
   * @return a line for each key whose values differ, with both; empty if all agree
   */
  public static List<String> between(JsonNode stored, JsonNode asked) {
    Map<String, String> before = new TreeMap<>();
    Map<String, String> now = new TreeMap<>();
    flatten("", stored, before);
    flatten("", asked, now);
    TreeSet<String> keys = new TreeSet<>(before.keySet());
    keys.addAll(now.keySet());
    List<String> differences = new ArrayList<>();
    for (String key : keys) {
      String stays = before.getOrDefault(key, "nothing");
      String comes = now.getOrDefault(key, "nothing");
      if (!stays.equals(comes)) {
        differences.add(key + " is " + stays + " there and " + comes + " now");
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
