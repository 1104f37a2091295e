package org.lengthwise.eval.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.DataFormatException;

class CumulativeGradientTest {
  @Test
  void countsTheMostRecentTokensThatHoldTheGradient() {
    assertThat(CumulativeGradient.of(new double[] {1, 0.995, 0.99, 0.5}).effective()).isEqualTo(2);
    assertThat(CumulativeGradient.of(new double[] {1, 1, 1, 1}).effective()).isEqualTo(1);
    assertThat(CumulativeGradient.of(new double[] {1, 0.75, 0.5, 0.25}).effective()).isEqualTo(4);
    assertThat(CumulativeGradient.of(new double[] {1}).effective()).isEqualTo(1);
  }

  @Test
  void refusesACurveThatIsNone() {
    assertThatThrownBy(() -> CumulativeGradient.of(new double[] {0.9, 0.5}))
        .hasMessageContaining("1 at the first position");
    assertThatThrownBy(() -> CumulativeGradient.of(new double[] {1, 0.5, 0.6}))
        .hasMessageContaining("position 2");
    assertThatThrownBy(() -> new CumulativeGradient(List.of(1.0, 0.5), 1))
        .hasMessageContaining("effective");
  }

  @Test
  void comesBackFromItsFile(@TempDir Path folder) throws Exception {
    ReceptiveFieldResult result = Samples.receptiveField("alibi", 1, 96, 20, 80);
    result.write(folder);
    assertThat(ReceptiveFieldResult.read(folder)).isEqualTo(result);
  }

  @Test
  void namesTheFileThatIsNotOne(@TempDir Path folder) throws Exception {
    Samples.receptiveField("alibi", 1, 96, 20, 80).write(folder);
    Path file = folder.resolve(ReceptiveFieldResult.NAME);
    Files.writeString(file, Files.readString(file).replace("\"length\"", "\"lenght\""));
    assertThatThrownBy(() -> ReceptiveFieldResult.read(folder))
        .isInstanceOf(DataFormatException.class)
        .hasMessageContaining("receptive-field.json")
        .hasMessageContaining("length");
  }
}
