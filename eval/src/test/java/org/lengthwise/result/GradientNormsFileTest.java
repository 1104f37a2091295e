package org.lengthwise.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.DataFormatException;

class GradientNormsFileTest {
  private static final EvaluatedCheckpoint SUBJECT = Samples.checkpoint("alibi", 7);

  @TempDir private Path folder;

  private Path write(GradientNorms norms) throws Exception {
    GradientNormsFile.write(folder, SUBJECT, ModelState.UNTRAINED, norms);
    return folder.resolve(
        "gradients-alibi-seed7-step1200-%s-untrained.arrow".formatted(norms.length()));
  }

  @Test
  void aFileRoundTripKeepsEveryBitOverSeveralBatches() throws Exception {
    GradientNorms norms = Samples.decays(400_000, 20, 3000, 1e5, 1e6, 7);
    GradientNorms read = GradientNormsFile.read(write(norms));
    assertThat(read.targetsSha256()).isEqualTo(norms.targetsSha256());
    for (int chunk = 0; chunk < norms.count(); chunk++) {
      assertThat(read.cumulative(chunk)).isEqualTo(norms.cumulative(chunk));
    }
  }

  @Test
  void theFileTakesFourBytesForEachNorm() throws Exception {
    assertThat(Files.size(write(Samples.decays(8192, 20, 30, 40, 50))))
        .isBetween(131_072L, 140_000L);
  }

  @Test
  void otherContentIsRejected() throws Exception {
    Path file = write(Samples.decays(8, 2, 3));
    Files.write(file, new byte[100]);
    assertThatThrownBy(() -> GradientNormsFile.read(file))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("target and norms");
  }
}
