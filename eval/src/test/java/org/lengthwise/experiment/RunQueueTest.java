package org.lengthwise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.cli.CapturedLog;

@Timeout(60)
class RunQueueTest {
  private static final Slot FIRST = new Slot("first", "cpu", Map.of("PLACE", "1"));
  private static final Slot SECOND = new Slot("second", "cpu", Map.of("PLACE", "2"));

  private final Path logs;
  private final CapturedLog log = new CapturedLog(RunQueue.class);

  RunQueueTest(@TempDir Path folder) {
    logs = folder.resolve("logs");
  }

  @AfterEach
  void releaseTheLog() {
    log.close();
  }

  private RunQueue queue(List<Slot> slots, String script) {
    return new RunQueue(
        slots, (run, slot) -> List.of("/bin/sh", "-c", script, run), logs, run -> {});
  }

  private String log(String run) throws IOException {
    return Files.readString(logs.resolve(run + ".log"));
  }

  @Test
  void everyRunHasItsOwnSlotAndLog() throws IOException {
    RunQueue queue = queue(List.of(FIRST, SECOND), "echo $0 at $PLACE");
    assertThat(queue.complete(List.of("a", "b", "c"), () -> false)).isEmpty();
    assertThat(log("a")).isEqualTo("a at 1\n");
    assertThat(log("b")).isEqualTo("b at 2\n");
    assertThat(log("c")).startsWith("c at ");
  }

  @Test
  void withOneSlotRunsStartInOrder() throws IOException {
    Path order = logs.resolveSibling("order");
    queue(List.of(FIRST), "echo $0 >> " + order).complete(List.of("b", "a", "c"), () -> false);
    assertThat(order).hasContent("b\na\nc");
  }

  @Test
  void aFailedRunIsReportedAndTheOthersContinue() throws IOException {
    String script = "echo $0 says why; echo '  at a place'; test $0 != bad || exit 3";
    List<RunQueue.Failure> failures =
        queue(List.of(FIRST), script).complete(List.of("bad", "good"), () -> false);
    assertThat(failures)
        .containsExactly(new RunQueue.Failure("bad", 3, logs.resolve("bad.log"), "bad says why"));
    assertThat(log("good")).startsWith("good says why");
    assertThat(log.lines()).contains("ERROR bad failed with exit code 3: bad says why");
  }

  @Test
  void aStopRequestClosesTheInputOfActiveRunsAndStartsNoOther() throws IOException {
    RunQueue queue = queue(List.of(FIRST, SECOND), "echo begun; cat; echo ended");
    List<String> names = List.of("a", "b", "c");
    AtomicBoolean asked = new AtomicBoolean();
    assertThat(queue.complete(names, () -> asked.getAndSet(true))).isEmpty();
    assertThat(log("a")).isEqualTo("begun\nended\n");
    assertThat(log("b")).isEqualTo("begun\nended\n");
    assertThat(logs.resolve("c.log")).doesNotExist();
  }

  @Test
  void aRunWhoseLogCannotBeReadFailsAlone() throws IOException {
    String script = "test $0 = good || { rm " + logs.resolve("bad.log") + "; exit 3; }";
    List<RunQueue.Failure> failures =
        queue(List.of(FIRST), script).complete(List.of("bad", "good"), () -> false);
    assertThat(failures).extracting(RunQueue.Failure::run).containsExactly("bad");
    assertThat(failures.get(0).lastLine()).startsWith("its log cannot be read: ");
  }

  @Test
  void activeRunsHaveEndedBeforeAnErrorIsThrown() {
    RunQueue queue =
        new RunQueue(
            List.of(FIRST, SECOND),
            (run, slot) -> {
              if (run.equals("b")) {
                throw new IllegalStateException("no command for b");
              }
              return List.of("/bin/sh", "-c", "cat; echo ended");
            },
            logs,
            run -> {});
    assertThatThrownBy(() -> queue.complete(List.of("a", "b"), () -> false))
        .hasMessage("no command for b");
    assertThat(logs.resolve("a.log")).hasContent("ended");
  }

  @Test
  void aSignalIsAFailureUnlessAStopWasRequested() throws IOException {
    RunQueue queue = queue(List.of(FIRST), "kill -TERM $$");
    assertThat(queue.complete(List.of("a"), () -> false)).hasSize(1);
    AtomicBoolean asked = new AtomicBoolean();
    assertThat(
            queue(List.of(FIRST), "cat; kill -INT $$")
                .complete(List.of("a"), () -> asked.getAndSet(true)))
        .isEmpty();
  }
}
