package org.lengthwise.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

/** The common steps of measurements, with a measurement that needs no checkpoint and no data. */
class MeasurementFolderTest {
  @TempDir private Path folder;

  private final List<String> measured = new ArrayList<>();

  private record Description(String question) {}

  /** Stores each cell as a file with its name, and lists them in the end. */
  private final class Letters implements Measurement<String> {
    private final String question;
    private final List<String> cells;

    Letters(String question, String... cells) {
      this.question = question;
      this.cells = List.of(cells);
    }

    @Override
    public String name() {
      return "letters";
    }

    @Override
    public Record description() {
      return new Description(question);
    }

    @Override
    public void requireFeasible() {
      if (cells.contains("impossible")) {
        throw new ConfigException("cells", "possible cells", "impossible", "remove it");
      }
    }

    @Override
    public List<String> cells() {
      return cells;
    }

    @Override
    public long tokens(String cell) {
      return 2;
    }

    @Override
    public Set<String> finished(Path results) {
      return cells.stream()
          .filter(cell -> Files.exists(results.resolve(cell)))
          .collect(Collectors.toSet());
    }

    @Override
    public String measure(String cell, Path results, LongConsumer done) throws IOException {
      done.accept(1);
      Files.writeString(results.resolve(cell), question);
      measured.add(cell);
      done.accept(2);
      return cell;
    }

    @Override
    public void summarise(Path results) throws IOException {
      Files.write(results.resolve("summary"), cells);
    }
  }

  private Path output() {
    return folder.resolve("results");
  }

  private void complete(Letters letters) throws IOException {
    new MeasurementFolder<>(letters, output(), () -> false).complete();
  }

  /** Stops after a number of batches; a cell has two. */
  private void stop(Letters letters, int batches) {
    int[] left = {batches};
    assertThatThrownBy(
            () -> new MeasurementFolder<>(letters, output(), () -> --left[0] < 0).complete())
        .isInstanceOf(CancellationException.class);
    assertThat(output()).doesNotExist();
  }

  @Test
  void everyCellIsMeasuredInOrderAndTheFolderIsMarkedDone() throws IOException {
    complete(new Letters("q", "b", "a"));
    assertThat(measured).containsExactly("b", "a");
    assertThat(output().toFile().list())
        .containsExactlyInAnyOrder("a", "b", "summary", "measurement.json", "DONE");
  }

  @Test
  void aFinishedFolderIsSkippedAndAnotherMeasurementIsRejected() throws IOException {
    complete(new Letters("q", "a"));
    complete(new Letters("q", "a"));
    assertThat(measured).containsExactly("a");
    assertThatThrownBy(() -> complete(new Letters("other", "a")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("question was \"q\", is now \"other\"");
  }

  @Test
  void aStoppedMeasurementResumesWithTheNextCell() throws IOException {
    stop(new Letters("q", "a", "b", "c"), 4);
    assertThat(measured).containsExactly("a", "b");
    assertThatThrownBy(() -> complete(new Letters("other", "a", "b", "c")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("another unfinished measurement")
        .hasMessageContaining(".results.partial");
    complete(new Letters("q", "a", "b", "c"));
    assertThat(measured).containsExactly("a", "b", "c");
  }

  @Test
  void anAttemptThatStoredNothingIsDiscarded() throws IOException {
    stop(new Letters("q", "a"), 0);
    assertThat(folder).isEmptyDirectory();
    // A kill before measurement.json was renamed.
    Path content = Files.createDirectories(folder.resolve(".results.partial/content"));
    Files.writeString(content.resolve(".measurement.json.partial"), "{");
    complete(new Letters("other", "a"));
    assertThat(output().resolve("a")).hasContent("other");
  }

  @Test
  void aKillWhileTheJoinedPartsAreDeletedLosesNoLine() throws IOException {
    for (int cell = 0; cell < 3; cell++) {
      Files.writeString(MeasurementFolder.part(folder, "lines", cell), cell + "\n");
    }
    MeasurementFolder.join(folder, "lines");
    Files.writeString(MeasurementFolder.part(folder, "lines", 2), "2\n"); // not deleted in time
    MeasurementFolder.join(folder, "lines");
    assertThat(folder.toFile().list()).containsExactly("lines.jsonl");
    assertThat(folder.resolve("lines.jsonl")).hasContent("0\n1\n2\n");
  }

  @Test
  void anImpossibleMeasurementStoresNothing() {
    assertThatThrownBy(() -> complete(new Letters("q", "impossible")))
        .isInstanceOf(ConfigException.class);
    assertThat(folder).isEmptyDirectory();
  }
}
