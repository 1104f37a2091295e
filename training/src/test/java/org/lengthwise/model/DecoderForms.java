package org.lengthwise.model;

import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.model.DecoderForm.Activation;
import org.lengthwise.model.DecoderForm.EmbeddingScale;
import org.lengthwise.model.DecoderForm.Initial;
import org.lengthwise.model.DecoderForm.Norm;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.Learned;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rope;
import org.lengthwise.positional.Schemes;
import org.lengthwise.positional.T5;

/** Small models of every form, among them those of the public families. */
final class DecoderForms {
  private DecoderForms() {}

  static final DecoderForm LLAMA =
      form(
          Norm.PRE,
          Activation.SILU,
          false,
          new NormForm(NormForm.Kind.RMS, 1e-6, false),
          new HeadForm(2, 0, true, false, 0, 0),
          new MlpForm(10, true, false),
          new TokenForm(false, 0));

  static final DecoderForm QWEN3 =
      form(
          Norm.PRE,
          Activation.SILU,
          false,
          new NormForm(NormForm.Kind.RMS, 1e-6, false),
          new HeadForm(1, 6, true, true, 0, 0),
          new MlpForm(10, true, false),
          TokenForm.GPT2);

  static final DecoderForm NEOX =
      form(
          Norm.PARALLEL,
          Activation.GELU_ERF,
          true,
          NormForm.GPT2,
          HeadForm.GPT2,
          new MlpForm(20, false, true),
          new TokenForm(false, 0));

  static final DecoderForm OPT_POST =
      form(
          Norm.POST,
          Activation.RELU,
          true,
          NormForm.GPT2,
          HeadForm.GPT2,
          MlpForm.GPT2,
          new TokenForm(true, 6));

  static final DecoderForm BLOOM_NORMED =
      form(
          Norm.NORMED,
          Activation.GELU,
          true,
          new NormForm(NormForm.Kind.LAYER, 1e-5, true),
          HeadForm.GPT2,
          MlpForm.GPT2,
          TokenForm.GPT2);

  static final DecoderForm MPT =
      form(
          Norm.PRE,
          Activation.GELU_ERF,
          false,
          new NormForm(NormForm.Kind.LAYER_WITHOUT_BIAS, 1e-5, false),
          new HeadForm(0, 0, true, false, 0.4, 0.3),
          new MlpForm(0, false, false),
          TokenForm.GPT2);

  static final DecoderForm QWEN2_PROJECTED =
      form(
          Norm.PRE,
          Activation.SILU,
          true,
          new NormForm(NormForm.Kind.RMS, 1e-6, true),
          new HeadForm(2, 0, false, false, 0, 0),
          new MlpForm(10, true, true),
          new TokenForm(false, 6));

  private static DecoderForm form(
      Norm norm,
      Activation activation,
      boolean attentionBias,
      NormForm norms,
      HeadForm attention,
      MlpForm mlp,
      TokenForm tokens) {
    return new DecoderForm(
        norm,
        activation,
        attentionBias,
        EmbeddingScale.ONE,
        Initial.GPT2,
        true,
        norms,
        attention,
        mlp,
        tokens);
  }

  /** Each scheme on GPT-2's form, then each form with a few schemes. */
  static Stream<ModelConfig> models() {
    return Stream.concat(
        Schemes.all().stream()
            .map(scheme -> new ModelConfig(2, 12, 3, RandomModel.VOCABULARY, scheme)),
        forms());
  }

  /** Each form with a few schemes. */
  static Stream<ModelConfig> forms() {
    List<PositionalScheme> schemes =
        List.of(new Rope(100), new Alibi(), new RegularGpt(3), new T5(T5.Scale.ONE));
    Stream<ModelConfig> grouped =
        Stream.of(LLAMA, QWEN2_PROJECTED)
            .flatMap(form -> schemes.stream().map(scheme -> model(form, scheme, 4)));
    return Stream.concat(
        grouped,
        Stream.of(
            model(QWEN3, new Rope(100), 4),
            model(QWEN3, new RegularGpt(3), 4),
            model(NEOX, new Rope(100), 3),
            model(NEOX, new RegularGpt(3), 3),
            model(OPT_POST, new Learned(64), 3),
            model(BLOOM_NORMED, new Alibi(), 3),
            model(MPT, new Alibi(), 3),
            model(MPT, new RegularGpt(3), 3)));
  }

  private static ModelConfig model(DecoderForm form, PositionalScheme scheme, int heads) {
    return new ModelConfig(2, 4 * heads, heads, RandomModel.VOCABULARY, scheme, form, 0);
  }
}
