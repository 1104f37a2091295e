package org.lengthwise.bench;

import ai.djl.pytorch.jni.JniUtils;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The operators of a step, counted in a trace of libtorch's profiler. The profiler sees calls of
 * operators, on a GPU too, but no kernels.
 *
 * @param operators the number of operators that compute or copy. An operator that calls another one
 *     is not counted, but matrix products, fused attention and arithmetic on lists are, and not
 *     what they call, which depends on the processor. On a GPU each starts at least one kernel
 * @param copies how many of them copy a tensor to another number format, memory layout or device
 * @param reads how often our kernels read a number of a tensor. Their arguments are such numbers,
 *     on the CPU. A GPU would have to finish all earlier work for a number of its own
 * @param attention the operators of attention, and how often each ran; a separate softmax means
 *     that a matrix of scores was in memory
 * @param outsideProducts the share of the step's time outside matrix products and fused attention,
 *     gaps between operators included; null if durations do not cover the work
 */
public record StepProfile(
    int operators,
    int copies,
    int reads,
    Map<String, Integer> attention,
    @Nullable Double outsideProducts) {
  private static final String OPERATOR = "aten::";
  private static final String COPY = OPERATOR + "copy_";
  private static final String READ = OPERATOR + "_local_scalar_dense";

  /** Attention without a matrix of scores. */
  private static final String FUSED = "_scaled_dot_product_(?!attention_math)\\w+";

  private static final String PRODUCT = "mm|bmm|addmm_?|baddbmm_?";

  /** The loss has a softmax too, but not this gradient. */
  private static final Predicate<String> ATTENDS =
      operator("_scaled_dot_product_\\w+|_softmax_backward_data");

  /** The last two only arrange their inputs and call another product. */
  private static final Predicate<String> MULTIPLIES =
      operator(FUSED + "|" + PRODUCT + "|matmul|linear");

  /** Operators that count as one. Those on a list are one call on a GPU, and many on a CPU. */
  private static final Predicate<String> COUNTS_ONCE =
      operator(FUSED + "|" + PRODUCT + "|_(foreach|fused_adamw)_\\w*");

  /** Views, allocations and questions: no work for a device, unless another operator does it. */
  private static final Predicate<String> PASSIVE =
      operator(
          "_fused_sdp_choice|_local_scalar_dense|_reshape_alias|_unsafe_view|alias|as_strided"
              + "|contiguous|detach_?|empty|empty_like|empty_strided|expand|expand_as|flatten|item"
              + "|narrow|new_empty|permute|reshape|resize_|resolve_conj|resolve_neg|result_type"
              + "|select|slice|split|squeeze|t|to|transpose|type_as|unbind|unfold|unsqueeze|view");

  private static final ObjectMapper JSON = new ObjectMapper();

  /** libtorch writes this invalid JSON where it recorded no shapes. */
  private static final String NO_SHAPES = "\"shape\": [,";

  public StepProfile {
    attention = Collections.unmodifiableMap(new TreeMap<>(attention));
  }

  private static Predicate<String> operator(String names) {
    return Pattern.compile(OPERATOR + "(" + names + ")").asMatchPredicate();
  }

  /** An event of a trace in Chrome's format. Times are in microseconds. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  private record Event(
      @JsonProperty("pid") String process,
      @JsonProperty("tid") String thread,
      @JsonProperty("name") String name,
      @JsonProperty("ph") String phase,
      @JsonProperty("ts") double start,
      @JsonProperty("dur") double duration) {
    double end() {
      return start + duration;
    }
  }

  /**
   * Records a step in a file. A duration is that of the call. On a GPU a call returns before its
   * kernels have finished.
   *
   * @param isTimed whether an operator's duration covers its work
   */
  static StepProfile record(Runnable step, Path trace, boolean isTimed) throws IOException {
    Path raw = Files.createTempFile("lengthwise-trace-", ".raw");
    try {
      JniUtils.startProfile(false, false, false);
      try {
        step.run();
      } finally {
        JniUtils.stopProfile(raw.toString());
      }
      Files.createDirectories(trace.toAbsolutePath().getParent());
      Files.writeString(trace, Files.readString(raw).replace(NO_SHAPES, "\"shape\": [],"));
    } finally {
      Files.delete(raw);
    }
    return of(trace, isTimed);
  }

  /** Counts the operators of a trace, an array of events. */
  static StepProfile of(Path trace, boolean isTimed) throws IOException {
    List<Event> events =
        JSON.readValue(trace.toFile(), new TypeReference<List<Event>>() {}).stream()
            .filter(event -> event.phase().equals("X"))
            .toList();
    List<Event> outermost = outermost(events);
    List<String> called = innermost(events, PASSIVE.negate());
    List<String> read = innermost(events, COUNTS_ONCE.or(READ::equals));
    return new StepProfile(
        called.size(),
        Collections.frequency(called, COPY),
        Collections.frequency(read, READ),
        outermost.stream()
            .filter(event -> ATTENDS.test(event.name()))
            .collect(Collectors.toMap(Event::name, event -> 1, Integer::sum)),
        isTimed ? outsideProducts(events, outermost) : null);
  }

  private static @Nullable Double outsideProducts(List<Event> events, List<Event> outermost) {
    double start = events.stream().mapToDouble(Event::start).min().orElse(0);
    double end = events.stream().mapToDouble(Event::end).max().orElse(0);
    double inside =
        outermost.stream()
            .filter(event -> MULTIPLIES.test(event.name()))
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
        .collect(Collectors.groupingBy(event -> event.process() + "/" + event.thread()))
        .values();
  }

  /** The names of some operators: of those that call no other one, and of those that count once. */
  private static List<String> innermost(List<Event> events, Predicate<String> isWanted) {
    List<String> found = new ArrayList<>();
    List<Event> operators =
        events.stream()
            .filter(event -> event.name().startsWith(OPERATOR) && isWanted.test(event.name()))
            .toList();
    for (List<Event> thread : threads(operators)) {
      double end = Double.NEGATIVE_INFINITY;
      for (int i = 0; i < thread.size(); i++) {
        Event event = thread.get(i);
        boolean callsNone = i + 1 == thread.size() || thread.get(i + 1).start() >= event.end();
        if (event.start() >= end && (callsNone || COUNTS_ONCE.test(event.name()))) {
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
          end = MULTIPLIES.test(event.name()) ? event.end() : end;
        }
      }
    }
    return found;
  }
}
