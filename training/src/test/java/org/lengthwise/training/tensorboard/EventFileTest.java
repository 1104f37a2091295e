package org.lengthwise.training.tensorboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventFileTest {
  private static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochMilli(1_234_567_890_250L), ZoneOffset.UTC);

  @TempDir private Path folder;

  private Path file() {
    return folder.resolve("events.out.tfevents");
  }

  private void write(long from, long to) throws IOException {
    try (EventFile events = EventFile.resume(file(), from, tag -> true, CLOCK)) {
      for (long step = from + 1; step <= to; step++) {
        events.write(step, Map.of("training/loss", step / 8.0));
      }
    }
  }

  private List<Long> steps() throws IOException {
    return EventReader.events(file()).stream()
        .filter(event -> !event.scalars().isEmpty())
        .map(EventReader.Event::step)
        .toList();
  }

  @Test
  void aReaderThatFollowsTheSchemaFindsEveryValue() throws IOException {
    try (EventFile events = EventFile.resume(file(), 0, tag -> true, CLOCK)) {
      events.write(5_000_000_000L, Map.of("training/loss", 2.5));
    }
    List<EventReader.Event> events = EventReader.events(file());
    assertThat(events).hasSize(2);
    assertThat(events.get(0).version()).isEqualTo("brain.Event:2");
    assertThat(events.get(1).time()).isEqualTo(1_234_567_890.25);
    assertThat(EventReader.scalars(file())).containsExactly("5000000000 training/loss 2.5");
  }

  @Test
  void severalScalarsOfAStepShareAnEvent() throws IOException {
    try (EventFile events = EventFile.resume(file(), 0, tag -> true, CLOCK)) {
      events.write(1, Map.of("training/loss", 2.5, "training/mfu", 0.25));
    }
    assertThat(EventReader.events(file())).hasSize(2);
    assertThat(EventReader.scalars(file()))
        .containsExactlyInAnyOrder("1 training/loss 2.5", "1 training/mfu 0.25");
  }

  @Test
  void resumingCutsLaterSteps() throws IOException {
    write(0, 7);
    write(4, 6);
    assertThat(steps()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    write(0, 2);
    assertThat(steps()).containsExactly(1L, 2L);
  }

  @Test
  void resumingCutsTheFileAtAnUnknownTag() throws IOException {
    write(0, 4);
    try (EventFile events = EventFile.resume(file(), 4, tag -> true, CLOCK)) {
      events.write(4, Map.of("roll-back/diverged_at", 6.0));
      events.write(4, Map.of("training/loss", 1.0));
    }
    EventFile.resume(file(), 4, tag -> !tag.startsWith("roll-back/"), CLOCK).close();
    assertThat(steps()).containsExactly(1L, 2L, 3L, 4L);
    assertThat(EventReader.scalars(file())).allMatch(scalar -> scalar.contains("training/loss"));
  }

  @Test
  void fileIsKeptUpToTheFirstDamagedRecord() throws IOException {
    write(0, 5);
    byte[] whole = Files.readAllBytes(file());
    Files.write(file(), Arrays.copyOf(whole, whole.length - 3));
    write(5, 6);
    assertThat(steps()).containsExactly(1L, 2L, 3L, 4L, 6L);
    whole[whole.length / 2] ^= 1;
    Files.write(file(), whole);
    write(5, 6);
    assertThat(steps()).startsWith(1L).endsWith(6L).doesNotContain(5L);
  }

  @Test
  void eventsMayBeginWhenARunResumes() throws IOException {
    write(10, 12);
    assertThat(steps()).containsExactly(11L, 12L);
    assertThat(EventReader.events(file()).get(0).version()).startsWith("brain.Event:");
  }
}
