package org.lengthwise.training.tensorboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
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
  private int numFiles;

  private Path file() {
    return folder.resolve("events.out.tfevents");
  }

  private Path write(long from, long to) throws IOException {
    Path file = folder.resolve("events.out.tfevents." + numFiles++);
    try (EventFile events = EventFile.create(file, from, CLOCK)) {
      for (long step = from + 1; step <= to; step++) {
        events.write(step, Map.of("training/loss", step / 8.0));
      }
    }
    return file;
  }

  @Test
  void aReaderThatFollowsTheSchemaFindsEveryValue() throws IOException {
    try (EventFile events = EventFile.create(file(), 0, CLOCK)) {
      events.write(5_000_000_000L, Map.of("training/loss", 2.5));
    }
    List<EventReader.Event> events = EventReader.events(file());
    assertThat(events).hasSize(2);
    assertThat(events.get(0).version()).isEqualTo("brain.Event:2");
    assertThat(events.get(1).time()).isEqualTo(1_234_567_890.25);
    assertThat(EventReader.scalars(List.of(file())))
        .containsExactly("5000000000 training/loss 2.5");
  }

  @Test
  void severalScalarsOfAStepShareAnEvent() throws IOException {
    try (EventFile events = EventFile.create(file(), 0, CLOCK)) {
      events.write(1, Map.of("training/loss", 2.5, "training/mfu", 0.25));
    }
    assertThat(EventReader.events(file())).hasSize(2);
    assertThat(EventReader.scalars(List.of(file())))
        .containsExactlyInAnyOrder("1 training/loss 2.5", "1 training/mfu 0.25");
  }

  @Test
  void aLaterAttemptReplacesTheStepsThatRunAgain() throws IOException {
    List<Path> files = List.of(write(0, 7), write(4, 6));
    assertThat(EventReader.scalars(files))
        .extracting(scalar -> scalar.substring(0, 1))
        .containsExactly("1", "2", "3", "4", "5", "6");
    assertThat(EventReader.events(files.get(1)).get(1).restartsAt()).isEqualTo(5);
  }

  @Test
  void aDamagedEndHidesNoLaterAttempt() throws IOException {
    Path first = write(0, 5);
    byte[] whole = Files.readAllBytes(first);
    Files.write(first, Arrays.copyOf(whole, whole.length - 3));
    assertThat(EventReader.scalars(List.of(first, write(4, 5)))).hasSize(5);
  }

  @Test
  void eventsMayBeginWhenARunResumes() throws IOException {
    Path file = write(10, 12);
    assertThat(EventReader.scalars(List.of(file)))
        .hasSize(2)
        .allMatch(line -> line.startsWith("1"));
    assertThat(EventReader.events(file).get(0).version()).startsWith("brain.Event:");
  }

  @Test
  void aFileIsNeverOverwritten() throws IOException {
    write(0, 1);
    numFiles = 0;
    assertThatThrownBy(() -> write(0, 1)).isInstanceOf(FileAlreadyExistsException.class);
  }
}
