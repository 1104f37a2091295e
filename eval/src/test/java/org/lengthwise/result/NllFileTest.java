package org.lengthwise.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.DataFormatException;

class NllFileTest {
  private static final ScoredTargets SCORED =
      ScoredTargets.lastTokens(64, new long[] {5, 1023, 1L << 40}, new double[] {0.1, 2.5e-17, 11});
  private static final EvaluationResult RESULT =
      EvaluationResult.of(
          Samples.checkpoint("t5", 2), Protocol.INDEPENDENT, false, 64, SCORED, Samples.DATA);

  /** Generated with Python: hashlib.sha256(struct.pack('<3q', 5, 1023, 1 << 40)).hexdigest(). */
  @Test
  void theDigestReadsOffsetsAsLittleEndianIntegers() {
    assertThat(SCORED.targetsSha256())
        .isEqualTo("df8709d8ba9484d4b4f8727686392854b98955dab9096ddd8899cecf5f193ce4");
  }

  @Test
  void aFileRoundTripKeepsEveryRow(@TempDir Path folder) throws Exception {
    NllFile.write(folder, RESULT, SCORED);
    NllFile read = NllFile.read(folder.resolve("nll-t5-seed2-step1200-independent-64.arrow"));
    assertThat(read.run()).isEqualTo("t5");
    assertThat(read.protocol()).isEqualTo(Protocol.INDEPENDENT);
    assertThat(read.length()).isEqualTo(64);
    assertThat(read.scored().targetsSha256()).isEqualTo(RESULT.targetsSha256());
    assertThat(read.scored().nllSum()).isEqualTo(RESULT.sums().sum());
    assertThat(read.scored().nllSquareSum()).isEqualTo(RESULT.sums().squareSum());
  }

  @Test
  void aFileRoundTripKeepsTheOrderOverSeveralBatches(@TempDir Path folder) throws Exception {
    int count = 2 * 70_000;
    double[] nlls = LongStream.range(0, count).mapToDouble(row -> row / 7.0).toArray();
    int[] positions = IntStream.range(0, count).map(row -> 1 + row % 2).toArray();
    ScoredTargets many = ScoredTargets.of(LongStream.range(0, count).toArray(), positions, nlls);
    EvaluationResult result =
        EvaluationResult.of(
            Samples.checkpoint("t5", 2), Protocol.BY_POSITION, false, 3, many, Samples.DATA);
    NllFile.write(folder, result, many);
    ScoredTargets read = NllFile.read(folder.resolve(NllFile.nameFor(result))).scored();
    assertThat(read.count()).isEqualTo(count);
    assertThat(read.targetsSha256()).isEqualTo(result.targetsSha256());
    assertThat(read.nllSum()).isEqualTo(result.sums().sum());
    for (int row : new int[] {0, 65_535, 65_536, count - 1}) {
      assertThat(read.position(row)).isEqualTo(positions[row]);
      assertThat(read.nll(row)).isEqualTo(nlls[row]);
    }
  }

  @Test
  void equalResultsGiveEqualBytes(@TempDir Path folder) throws Exception {
    Path file = folder.resolve(NllFile.nameFor(RESULT));
    NllFile.write(folder, RESULT, SCORED);
    byte[] first = Files.readAllBytes(file);
    NllFile.write(folder, RESULT, SCORED);
    assertThat(Files.readAllBytes(file)).isEqualTo(first);
  }

  @Test
  void rejectsRowsOfAnotherResult(@TempDir Path folder) {
    ScoredTargets other = ScoredTargets.lastTokens(64, new long[] {6}, new double[] {1});
    assertThatThrownBy(() -> NllFile.write(folder, RESULT, other))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anErrorNamesTheFile(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(folder.resolve("nll.arrow"), "not an Arrow file, but long enough");
    assertThatThrownBy(() -> NllFile.read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("nll.arrow");
  }

  @Test
  void rejectsInvalidRows() {
    assertThatThrownBy(() -> ScoredTargets.lastTokens(9, new long[] {6}, new double[] {Double.NaN}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("target 6");
  }
}
