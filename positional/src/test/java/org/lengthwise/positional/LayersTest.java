package org.lengthwise.positional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.PositionalParameter.Blocks;
import org.lengthwise.positional.SlidingWindow.Within;

class LayersTest {
  private static final NoPosition NONE = new NoPosition();
  private static final SlidingWindow LOCAL = new SlidingWindow(4, Within.ROPE);
  private static final SlidingWindow CHUNKS = new SlidingWindow(null, 6, Within.ROPE, null);

  private static Layers of(PositionalScheme... schemes) {
    return new Layers(List.of(schemes));
  }

  @Test
  void theListRepeats() {
    Layers scheme = of(LOCAL, LOCAL, NONE);
    assertThat(scheme.inBlock(4)).isSameAs(LOCAL);
    assertThat(scheme.inBlock(5)).isSameAs(NONE);
    assertThat(scheme.entry(4)).isZero();
    assertThat(scheme.described())
        .containsExactly(
            "the layers in turn: sliding-window-rope, sliding-window-rope, none; Yang et al. 2025");
  }

  @Test
  void theReceptiveFieldGoesThroughTheLayersFromTheTop() {
    assertThat(of(LOCAL, LOCAL, NONE).reach().receptiveField(2, 100)).isEqualTo(7);
    assertThat(of(LOCAL, LOCAL, NONE).reach().receptiveField(3, 100)).isEqualTo(100);
    assertThat(of(NONE, LOCAL).reach().receptiveField(1, 100)).isEqualTo(100);
    assertThat(of(CHUNKS, LOCAL).reach().receptiveField(2, 20)).isEqualTo(8);
    assertThat(of(LOCAL, CHUNKS).reach().receptiveField(2, 20)).isEqualTo(5);
    assertThat(of(LOCAL, NONE).reach().seesAllKeys()).isTrue();
    assertThat(of(LOCAL, CHUNKS).reach().seesAllKeys()).isFalse();
  }

  /** Chunks count from position 0, so a pass leaves out whole chunks only. */
  @Test
  void rowsThatAreLeftOutAreWholeChunks() {
    assertThat(of(LOCAL, CHUNKS).reach().firstRow(0, 2, 20)).isEqualTo(12);
    assertThat(of(LOCAL, CHUNKS).reach().firstRow(1, 2, 20)).isEqualTo(18);
    SlidingWindow others = new SlidingWindow(null, 8, Within.NONE, null);
    assertThat(of(CHUNKS, others).reach().firstRow(0, 2, 50)).isEqualTo(48);
    assertThat(of(CHUNKS, others).reach().firstRow(0, 2, 48)).isEqualTo(24);
    SlidingWindow first = new SlidingWindow(null, 999_983, Within.NONE, null);
    SlidingWindow second = new SlidingWindow(null, 999_979, Within.NONE, null);
    SlidingWindow third = new SlidingWindow(null, 999_961, Within.NONE, null);
    SlidingWindow fourth = new SlidingWindow(null, 999_959, Within.NONE, null);
    assertThat(of(first, second, third, fourth).alignment()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void equalEntriesShareTensorsThatStandUnderTheFirstOfThem() {
    Cope cope = new Cope(5, Cope.Scale.ONE);
    List<PositionalParameter> parameters =
        of(NONE, new KerpleLog(), cope, new KerpleLog()).parameters(2, 8);
    assertThat(parameters).extracting(PositionalParameter::name).containsExactly("p", "a", "cope");
    assertThat(parameters.get(0).blocks()).isEqualTo(new Blocks(List.of(1, 3), 4, "1."));
    Blocks own = parameters.get(2).blocks();
    assertThat(own.contain(6)).isTrue();
    assertThat(own.contain(5)).isFalse();
    assertThat(own.among(2)).isZero();
    assertThat(own.among(11)).isEqualTo(3);
  }

  @Test
  void onlyLayersWithDistancesBeyondTheTrainingLengthAreScaled() {
    PositionScaling yarn = new PositionScaling(PositionScaling.Kind.YARN);
    Rope rope = new Rope(100);
    Layers scheme = of(LOCAL, rope, CHUNKS, NONE);
    assertThat(scheme.scaled(yarn, 6).orElseThrow())
        .isEqualTo(of(LOCAL, rope.scaled(yarn, 6).orElseThrow(), CHUNKS, NONE));
    assertThat(scheme.scaled(yarn, 5).orElseThrow())
        .isEqualTo(
            of(
                LOCAL,
                rope.scaled(yarn, 5).orElseThrow(),
                CHUNKS.scaled(yarn, 5).orElseThrow(),
                NONE));
    assertThat(scheme.lengths().keepsResults().test(9)).isTrue();
    assertThat(scheme.scaled(yarn, 6).orElseThrow().lengths().keepsResults().test(9)).isFalse();
    for (Layers other : List.of(of(LOCAL, CHUNKS, NONE), of(NONE, new Alibi()))) {
      assertThat(other.scaled(yarn, 6)).isEmpty();
    }
  }

  @Test
  void theDearestLayerAndTheLayerWithARuleDecide() {
    Cope cope = new Cope(5, Cope.Scale.ONE);
    StickBreaking breaking = new StickBreaking(StickBreaking.Remainder.SELF);
    assertThat(of(cope, breaking).cost(2)).isEqualTo(new Cost(0, 12));
    Rope dynamic = new Rope(100, 1, new RopeScaling.Dynamic(2, 8), null);
    assertThat(of(LOCAL, dynamic).lengths().countsLastToken()).isTrue();
    assertThat(of(LOCAL, NONE).lengths().countsLastToken()).isFalse();
  }

  @Test
  void layersThatCanHaveATemperatureGetItAtTestTime() {
    Cope cope = new Cope(5, Cope.Scale.ONE);
    PositionChange longer =
        new PositionChange(PositionScaling.NONE, TestTemperature.of("log-length"));
    assertThat(longer.of(of(LOCAL, cope), 8)).isEqualTo(of(longer.of(LOCAL, 8), cope));
    assertThat(PositionChange.NONE.of(of(LOCAL, cope), 8)).isEqualTo(of(LOCAL, cope));
    assertThat(longer.suits(of(cope), 8)).isFalse();
    assertThatThrownBy(() -> longer.of(of(cope), 8)).hasMessageContaining("-log-length");
    Temperature ssmax = new Temperature(Temperature.Name.SSMAX);
    assertThat(new Tempered(of(LOCAL, NONE), ssmax).inBlock(1))
        .isEqualTo(new Tempered(NONE, ssmax));
    assertThatThrownBy(() -> new Tempered(of(LOCAL, cope), ssmax))
        .hasMessageContaining("temperature: expected none");
  }

  @Test
  void aFormulaOfAnEntryIsChecked() {
    Formula formula = Formulas.of("-delta / T_tr", Map.of());
    Layers trained = (Layers) of(NONE, formula).trainedAt(32, 2, 8, 3);
    assertThat(trained.part(1)).isEqualTo(formula.trainedAt(32, 2, 8, 3));
    assertThat(trained.hasFormula()).isTrue();
    assertThat(of(NONE, LOCAL).hasFormula()).isFalse();
  }

  @Test
  void schemesThatBelongToNoLayerAreRejectedWithTheReason() {
    assertThatThrownBy(() -> of(NONE, new Learned(8)))
        .hasMessageContaining("repeat[1]: expected a scheme of attention")
        .hasMessageContaining("found learned");
    assertThatThrownBy(() -> of(new Sinusoidal())).hasMessageContaining("found sinusoidal");
    assertThatThrownBy(() -> of(new RegularGpt(4)))
        .hasMessageContaining("levels of regulargpt are passes over all layers");
    assertThatThrownBy(() -> of(of(NONE))).hasMessageContaining("not another list");
    assertThatThrownBy(() -> new Layers(List.of()))
        .hasMessageContaining("repeat: expected one to sixteen different schemes, found 0");
  }
}
