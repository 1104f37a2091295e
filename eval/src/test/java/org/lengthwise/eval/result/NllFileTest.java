package org.lengthwise.eval.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.DataFormatException;

class NllFileTest {
  private static final ScoredTargets SCORED =
      ScoredTargets.of(new long[] {5, 1023, 1L << 40}, new double[] {0.1, 2.5e-17, 11});
  private static final EvaluationResult RESULT =
      EvaluationResult.of(
          Samples.checkpoint("t5", 2), Protocol.INDEPENDENT, 64, SCORED, Samples.DATA);

  /** Generated with Python: hashlib.sha256(struct.pack('<3q', 5, 1023, 1 << 40)).hexdigest(). */
  @Test
  void digestsTheOffsetsAsLittleEndianIntegers() {
    assertThat(SCORED.targetsSha256())
        .isEqualTo("df8709d8ba9484d4b4f8727686392854b98955dab9096ddd8899cecf5f193ce4");
  }

  @Test
  void bringsEveryRowBack(@TempDir Path folder) throws Exception {
    NllFile.write(folder, RESULT, SCORED);
    NllFile read = NllFile.read(folder.resolve("nll-t5-seed2-step1200-independent-64.arrow"));
    assertThat(read.run()).isEqualTo("t5");
    assertThat(read.protocol()).isEqualTo(Protocol.INDEPENDENT);
    assertThat(read.length()).isEqualTo(64);
    assertThat(read.scored().targetsSha256()).isEqualTo(RESULT.targetsSha256());
    assertThat(read.scored().nllSum()).isEqualTo(RESULT.nllSum());
    assertThat(read.scored().nllSquareSum()).isEqualTo(RESULT.nllSquareSum());
  }

  @Test
  void isTheSameBytesEveryTime(@TempDir Path folder) throws Exception {
    Path file = folder.resolve(NllFile.nameFor(RESULT));
    NllFile.write(folder, RESULT, SCORED);
    byte[] first = Files.readAllBytes(file);
    NllFile.write(folder, RESULT, SCORED);
    assertThat(Files.readAllBytes(file)).isEqualTo(first);
  }

  @Test
  void refusesRowsOfAnotherResult(@TempDir Path folder) {
    ScoredTargets other = ScoredTargets.of(new long[] {6}, new double[] {1});
    assertThatThrownBy(() -> NllFile.write(folder, RESULT, other))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void namesAFileThatIsNotOne(@TempDir Path folder) throws Exception {
    Path file =
        Files.writeString(folder.resolve("nll.arrow"), "not an Arrow file, but long enough");
    assertThatThrownBy(() -> NllFile.read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("nll.arrow");
  }

  @Test
  void refusesWhatIsNotALikelihood() {
    assertThatThrownBy(() -> ScoredTargets.of(new long[] {6}, new double[] {Double.NaN}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("target 6");
  }
}
