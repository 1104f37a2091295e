package org.lengthwise.bench;

import ai.djl.pytorch.jni.JniUtils;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A trace in Chrome's format: an array of events, or an object with such an array under {@code
 * traceEvents}. An event with a duration (phase X) has a name, a start and a duration in
 * microseconds, and a thread. A GPU kernel has the category {@code kernel}.
 *
 * @param path the file
 */
record TraceFile(Path path) {
  private static final JsonFactory JSON = new JsonFactory();

  /** libtorch writes this invalid JSON where it recorded no shapes. */
  private static final String NO_SHAPES = "\"shape\": [,";

  /**
   * The profile of a step.
   *
   * @param attention the operators and kernels of attention, and how often each ran; a separate
   *     softmax means that a matrix of scores was in memory
   * @param outsideProducts the share of the step's time outside matrix products and fused
   *     attention, gaps between operators included; null if the profile has no durations of the
   *     work
   */
  public record Profile(Map<String, Integer> attention, @Nullable Double outsideProducts) {
    /** Copies the map, sorted by name. */
    public Profile {
      attention = Collections.unmodifiableMap(new TreeMap<>(attention));
    }
  }

  /** An operator or a kernel, on its thread or stream. */
  private record Event(
      String thread, String name, boolean isKernel, double start, double duration) {
    double end() {
      return start + duration;
    }

    OperatorKind kind() {
      return isKernel ? OperatorKind.ofKernel(name) : OperatorKind.ofOperator(name);
    }
  }

  /**
   * Records a step with libtorch's profiler. The profiler sees calls of operators, on a GPU too,
   * but no kernels. The duration is that of the call. On a GPU a call returns before its kernels
   * have finished.
   *
   * @param step the step
   * @return this file, now with the trace
   * @throws IOException if the file cannot be written
   */
  TraceFile record(Runnable step) throws IOException {
    Path raw = Files.createTempFile("lengthwise-trace-", ".raw");
    try {
      JniUtils.startProfile(false, false, false);
      try {
        step.run();
      } finally {
        JniUtils.stopProfile(raw.toString());
      }
      Files.createDirectories(path.toAbsolutePath().getParent());
      Files.writeString(path, Files.readString(raw).replace(NO_SHAPES, "\"shape\": [],"));
    } finally {
      Files.delete(raw);
    }
    return this;
  }

  /**
   * Counts the attention operators and sums up the time of matrix products.
   *
   * @param isTimed whether an operator's duration covers its work; a kernel's always does
   * @throws IOException if the file cannot be read or has another format
   */
  Profile profile(boolean isTimed) throws IOException {
    List<Event> events = read();
    Map<String, Integer> attention = new HashMap<>();
    for (Event event : outermost(events)) {
      if (event.kind().attends()) {
        attention.merge(OperatorKind.label(event.name()), 1, Integer::sum);
      }
    }
    List<Event> kernels = events.stream().filter(Event::isKernel).toList();
    if (!kernels.isEmpty()) {
      return new Profile(attention, outsideProducts(kernels));
    }
    return new Profile(attention, isTimed ? outsideProducts(events) : null);
  }

  private static @Nullable Double outsideProducts(List<Event> events) {
    double start = events.stream().mapToDouble(Event::start).min().orElse(0);
    double end = events.stream().mapToDouble(Event::end).max().orElse(0);
    double inside =
        outermost(events).stream()
            .filter(event -> event.kind().multiplies())
            .mapToDouble(Event::duration)
            .sum();
    return end > start ? 1 - inside / (end - start) : null;
  }

  /** The events that do not run inside a product or fused attention on the same thread. */
  private static List<Event> outermost(List<Event> events) {
    List<Event> found = new ArrayList<>();
    Map<String, List<Event>> threads =
        events.stream()
            .sorted(
                Comparator.comparingDouble(Event::start)
                    .thenComparing(Comparator.comparingDouble(Event::duration).reversed()))
            .collect(Collectors.groupingBy(Event::thread));
    for (List<Event> thread : threads.values()) {
      double end = Double.NEGATIVE_INFINITY;
      for (Event event : thread) {
        if (event.start() >= end) {
          found.add(event);
          end = event.kind().multiplies() ? event.end() : end;
        }
      }
    }
    return found;
  }

  private List<Event> read() throws IOException {
    List<Event> events = new ArrayList<>();
    try (JsonParser json = JSON.createParser(path.toFile())) {
      if (json.nextToken() == JsonToken.START_OBJECT) {
        seekEvents(json);
      }
      while (json.nextToken() == JsonToken.START_OBJECT) {
        Event event = event(json);
        if (event != null) {
          events.add(event);
        }
      }
    }
    return events;
  }

  private static void seekEvents(JsonParser json) throws IOException {
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      boolean isFound = json.currentName().equals("traceEvents");
      json.nextToken();
      if (isFound) {
        return;
      }
      json.skipChildren();
    }
  }

  /** The next event, or null if it has no duration. */
  private static @Nullable Event event(JsonParser json) throws IOException {
    String process = "";
    String thread = "";
    String name = "";
    String phase = "";
    String category = "";
    double start = 0;
    double duration = 0;
    while (json.nextToken() == JsonToken.FIELD_NAME) {
      String field = json.currentName();
      json.nextToken();
      switch (field) {
        case "pid" -> process = json.getText();
        case "tid" -> thread = json.getText();
        case "name" -> name = json.getText();
        case "ph" -> phase = json.getText();
        case "cat" -> category = json.getText();
        case "ts" -> start = json.getValueAsDouble();
        case "dur" -> duration = json.getValueAsDouble();
        default -> json.skipChildren();
      }
    }
    return phase.equals("X")
        ? new Event(process + "/" + thread, name, category.equals("kernel"), start, duration)
        : null;
  }
}
