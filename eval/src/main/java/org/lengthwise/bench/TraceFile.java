package org.lengthwise.bench;

import ai.djl.pytorch.jni.JniUtils;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A trace in Chrome's format: an array of events, or an object with such an array under {@code
 * traceEvents}. An event with a duration (phase X) has a name, a start and a duration in
 * microseconds, and a thread. A GPU kernel has the category {@code kernel}.
 */
record TraceFile(Path path) {
  private static final JsonFactory JSON = new JsonFactory();

  private static final String OPERATOR = "aten::";
  private static final String COPY = "aten::copy_";
  private static final String READ = "aten::_local_scalar_dense";

  /** libtorch writes this invalid JSON where it recorded no shapes. */
  private static final String NO_SHAPES = "\"shape\": [,";

  /**
   * The profile of a step.
   *
   * @param operators the number of operators that compute or copy. An operator that calls another
   *     one is not counted, but matrix products, fused attention and arithmetic on lists are, and
   *     not what they call. On a GPU each starts at least one kernel
   * @param copies how many of them copy a tensor to another number format, memory layout or device
   * @param reads how often our kernels read a number of a tensor. Their arguments are such numbers,
   *     on the CPU. A GPU would have to finish all earlier work for a number of its own
   * @param attention the operators and kernels of attention, and how often each ran; a separate
   *     softmax means that a matrix of scores was in memory
   * @param outsideProducts the share of the step's time outside matrix products and fused
   *     attention, gaps between operators included; null if the profile has no durations of the
   *     work
   */
  public record Profile(
      int operators,
      int copies,
      int reads,
      Map<String, Integer> attention,
      @Nullable Double outsideProducts) {
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
   * @return this file, now with the trace
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
   * Counts operators and sums up the time of matrix products.
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
    List<Event> timed = isTimed ? events : List.of();
    List<String> called = innermost(events, event -> event.kind() != OperatorKind.PASSIVE);
    List<String> read =
        innermost(
            events, event -> event.name().equals(READ) || OperatorKind.isSingle(event.name()));
    return new Profile(
        called.size(),
        Collections.frequency(called, COPY),
        Collections.frequency(read, READ),
        attention,
        outsideProducts(kernels.isEmpty() ? timed : kernels));
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

  /** The events of each thread, a caller before the operators that it calls. */
  private static Collection<List<Event>> threads(List<Event> events) {
    return events.stream()
        .sorted(
            Comparator.comparingDouble(Event::start)
                .thenComparing(Comparator.comparingDouble(Event::duration).reversed()))
        .collect(Collectors.groupingBy(Event::thread))
        .values();
  }

  /** The names of some operators: of those that call no other one, and of those that count once. */
  private static List<String> innermost(List<Event> events, Predicate<Event> isWanted) {
    List<String> found = new ArrayList<>();
    List<Event> operators =
        events.stream()
            .filter(event -> !event.isKernel() && event.name().startsWith(OPERATOR))
            .filter(isWanted)
            .toList();
    for (List<Event> thread : threads(operators)) {
      double end = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < thread.size(); i++) {
        Event event = thread.get(i);
        boolean isSingle = OperatorKind.isSingle(event.name());
        boolean callsNone = i + 1 == thread.size() || thread.get(i + 1).start() >= event.end();
        if (event.start() >= end && (isSingle || callsNone)) {
          found.add(event.name());
          end = event.end();
        }
      }
    }
    return found;
  }

  /** The events that do not run inside a product or fused attention on the same thread. */
  private static List<Event> outermost(List<Event> events) {
    List<Event> found = new ArrayList<>();
    for (List<Event> thread : threads(events)) {
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
