package org.lengthwise.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.KerpleLog;
import org.lengthwise.positional.Learned;
import org.lengthwise.positional.NoPosition;
import org.lengthwise.positional.PositionalParameter.Initial;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.Sinusoidal;
import org.lengthwise.positional.T5;

class ParameterLayoutTest {

  private static Map<String, ParameterSpec> layout(PositionalScheme scheme) {
    return ParameterLayout.of(new ModelConfig(2, 8, 2, 10, scheme)).stream()
        .collect(Collectors.toMap(ParameterSpec::name, Function.identity()));
  }

  private static ParameterSpec spec(Map<String, ParameterSpec> layout, String name) {
    return Objects.requireNonNull(layout.get(name), name);
  }

  @Test
  void namesAndShapesFollowTheCheckpointFormat() {
    Map<String, ParameterSpec> layout = layout(new RegularGpt(3));
    assertThat(spec(layout, "transformer.wte.weight").shape()).isEqualTo(List.of(10, 8));
    assertThat(spec(layout, "transformer.h.1.attn.c_attn.weight").shape())
        .isEqualTo(List.of(24, 8));
    assertThat(spec(layout, "transformer.h.1.mlp.c_proj.weight").shape()).isEqualTo(List.of(8, 32));
    assertThat(spec(layout, "transformer.h.1.attn.r").shape()).isEqualTo(List.of(2, 3));
    assertThat(layout).doesNotContainKey("lm_head.weight").hasSize(1 + 2 * 12 + 2 + 2);
    assertThat(spec(layout(new KerpleLog()), "transformer.position.a").shape())
        .isEqualTo(List.of(2));
    assertThat(spec(layout(new T5(T5.Scale.ONE)), "transformer.position.bias").shape())
        .isEqualTo(List.of(32, 2));
  }

  @Test
  void positionalTensorsFollowForEveryScope() {
    Map<String, ParameterSpec> fire = layout(new Fire(10));
    assertThat(spec(fire, "transformer.h.1.attn.fire.c_fc.weight").shape())
        .isEqualTo(List.of(32, 1));
    assertThat(spec(fire, "transformer.h.1.attn.fire.c_proj.weight").shape())
        .isEqualTo(List.of(2, 32));
    assertThat(spec(fire, "transformer.h.0.attn.fire.c").initial())
        .isEqualTo(new Initial.Constant(0.1));
    assertThat(spec(layout(new Learned(16)), "transformer.wpe.weight").shape())
        .isEqualTo(List.of(16, 8));
    assertThat(layout(new Rope(10_000))).hasSameSizeAs(layout(new NoPosition()));
  }

  @Test
  void weightDecayAppliesToMatricesButNotToPositions() {
    Map<String, ParameterSpec> layout = layout(new RegularGpt(3));
    assertThat(spec(layout, "transformer.wte.weight").decays()).isTrue();
    assertThat(spec(layout, "transformer.h.0.mlp.c_fc.weight").decays()).isTrue();
    assertThat(spec(layout, "transformer.h.0.mlp.c_fc.bias").decays()).isFalse();
    assertThat(spec(layout, "transformer.ln_f.weight").decays()).isFalse();
    assertThat(spec(layout, "transformer.h.0.attn.r").decays()).isFalse();
    assertThat(spec(layout(new T5(T5.Scale.ONE)), "transformer.position.bias").decays()).isFalse();
  }

  @Test
  void tokensStartWithTheSizeOfTheSinesUnderTheSinusoidalScheme() {
    assertThat(spec(layout(new NoPosition()), "transformer.wte.weight").initial())
        .isEqualTo(new Initial.Normal(0.02));
    assertThat(ParameterLayout.of(new ModelConfig(1, 64, 2, 10, new Sinusoidal())).get(0).initial())
        .as("sqrt(64) times an embedding has the deviation 1")
        .isEqualTo(new Initial.Normal(0.125));
  }

  @Test
  void onlyTablesThatStartFlatTakeThePositionalRate() {
    assertThat(flat(new RegularGpt(3)))
        .containsExactlyInAnyOrder("transformer.h.0.attn.r", "transformer.h.1.attn.r");
    assertThat(flat(new T5(T5.Scale.ONE))).containsExactly("transformer.position.bias");
    assertThat(flat(new T5(T5.Scale.SQRT_HEAD_WIDTH))).isEmpty();
    assertThat(flat(new KerpleLog())).isEmpty();
    assertThat(flat(new Fire(10))).isEmpty();
    assertThat(flat(new Learned(16))).isEmpty();
  }

  private static List<String> flat(PositionalScheme scheme) {
    return layout(scheme).values().stream()
        .filter(ParameterSpec::startsFlat)
        .map(ParameterSpec::name)
        .toList();
  }

  @Test
  void projectionsToTheResidualStreamStartSmaller() {
    assertThat(spec(layout(new RegularGpt(3)), "transformer.h.0.attn.c_proj.weight").initial())
        .isEqualTo(new Initial.Normal(0.01));
  }
}
