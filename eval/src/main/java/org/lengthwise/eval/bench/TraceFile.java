package org.lengthwise.eval.bench;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A trace in the format of Chrome's tracing: an array of events, or an object that has one under
 * {@code traceEvents}. An event that lasts (phase X) has a name, a start and a duration in
 * microseconds, and belongs to a thread; a kernel of a GPU has the category {@code kernel}.
 *
 * @param path the file
 */
record TraceFile(Path path) {
  private static final JsonFactory JSON = new JsonFactory();

  /** An operator or a kernel, on its thread or stream. */
  private record Event(
      String thread, String name, boolean isKernel, double start, double duration) {
    double end() {
      return start + duration;
    }

    Work work() {
      return isKernel ? Work.ofKernel(name) : Work.ofOperator(name);
    }
  }

  /**
   * What the trace says.
   *
   * @param isTimed whether the operators' durations are those of the work; kernels' always are
   * @throws IOException if the file cannot be read, or is no trace
   */
  StepProfile profile(boolean isTimed) throws IOException {
    List<Event> events = read();
    Map<String, Integer> attention = new HashMap<>();
    for (Event event : outermost(events)) {
      if (event.work().attends()) {
        attention.merge(Work.label(event.name()), 1, Integer::sum);
      }
    }
    List<Event> kernels = events.stream().filter(Event::isKernel).toList();
    if (!kernels.isEmpty()) {
      return new StepProfile(attention, outsideProducts(kernels));
    }
    return new StepProfile(attention, isTimed ? outsideProducts(events) : null);
  }

  private static @Nullable Double outsideProducts(List<Event> events) {
    double start = events.stream().mapToDouble(Event::start).min().orElse(0);
    double end = events.stream().mapToDouble(Event::end).max().orElse(0);
    double inside =
        outermost(events).stream()
            .filter(event -> event.work().multiplies())
            .mapToDouble(Event::duration)
            .sum();
    return end > start ? 1 - inside / (end - start) : null;
  }

  /** The events that are no part of a product, or of fused attention, of their thread. */
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
          end = event.work().multiplies() ? event.end() : end;
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

  /** The next event, or null if it is of a kind that does not last. */
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
