package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import org.lengthwise.positional.AttentionForm;
import org.lengthwise.positional.DistanceBias;
import org.lengthwise.positional.Fire;
import org.lengthwise.positional.Formula;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Randomized;
import org.lengthwise.positional.RegularGpt;
import org.lengthwise.positional.Rotary;
import org.lengthwise.positional.RowScheme;
import org.lengthwise.positional.SlidingWindow;
import org.lengthwise.positional.Tempered;
import org.lengthwise.positional.TransformerXl;

/**
 * Attention of every scheme, computed literally from its formula: each layer stores a bias of all
 * pairs [1, H, T, T] and computes every score, forbidden keys included. It is slow on purpose:
 * tests compare {@link Attention#begin} with it.
 */
public record PlainAttention(
    AttentionKernels kernels, Attention.Tensors tensors, Attention.Pass pass, NDManager manager)
    implements AttentionForm<Attention> {

  private SchemeAttention.Factory in() {
    return new SchemeAttention.Factory(kernels, tensors, pass, manager);
  }

  @Override
  public Attention noBias(PositionalScheme scheme) {
    return (qkv_BT3d, block, level) -> new UnbiasedAttention(kernels, pass).attendPlainly(qkv_BT3d);
  }

  @Override
  public Attention byDistance(DistanceBias scheme) {
    NDArray table_HT = BiasedAttention.table(scheme, in());
    return (qkv_BT3d, block, level) -> kernels.plain(qkv_BT3d, table_HT, 1);
  }

  @Override
  public Attention window(SlidingWindow scheme) {
    WindowAttention attention = WindowAttention.of(scheme, kernels, pass);
    return (qkv_BT3d, block, level) -> attention.attendPlainly(qkv_BT3d);
  }

  @Override
  public Attention rotary(Rotary scheme) {
    RotaryAttention all = RotaryAttention.of(scheme, in());
    return scheme
        .layerWindow()
        .<Attention>map(
            window -> RotaryWindowAttention.of(window, scheme, all, in())::attendPlainly)
        .orElse((qkv_BT3d, block, level) -> all.attendPlainly(qkv_BT3d));
  }

  @Override
  public Attention byQuery(Fire scheme) {
    FireAttention attention = new FireAttention(scheme, kernels, tensors, pass);
    return (qkv_BT3d, block, level) -> attention.attendPlainly(qkv_BT3d, block);
  }

  @Override
  public Attention byContent(TransformerXl scheme) {
    ContentAttention attention = ContentAttention.of(scheme, in());
    return (qkv_BT3d, block, level) -> attention.attendPlainly(qkv_BT3d, block);
  }

  @Override
  public Attention dilated(RegularGpt scheme) {
    return (qkv_BT3d, block, level) ->
        kernels.plain(qkv_BT3d, tensors.get("r", block), scheme.dilation(level));
  }

  @Override
  public Attention formula(Formula scheme) {
    FormulaAttention attention = new FormulaAttention(scheme, in());
    return (qkv_BT3d, block, level) -> attention.attendPlainly(qkv_BT3d, block);
  }

  @Override
  public Attention layers(Layers scheme) {
    return (qkv_BTg, block, level) -> {
      Attention.Tensors own = LayersAttention.tensors(scheme, scheme.entry(block), tensors);
      return scheme
          .part(block)
          .accept(new PlainAttention(kernels, own, pass, manager))
          .attend(qkv_BTg, block, level);
    };
  }

  @Override
  public Attention byRows(RowScheme scheme) {
    RowAttention attention = RowAttention.of(scheme, in());
    return (qkv_BTg, block, level) -> attention.attendPlainly(qkv_BTg, block);
  }

  /** One position after the other. */
  @Override
  public Attention recurrent(Linear scheme) {
    return new LinearAttention(scheme, kernels, tensors, pass, 1);
  }

  @Override
  public Attention sampled(Randomized scheme) {
    Attention.Pass sampled = pass.sampledBy(scheme);
    return scheme.part(0).accept(new PlainAttention(kernels, tensors, sampled, manager));
  }

  @Override
  public Attention tempered(Tempered scheme) {
    TemperedAttention attention = TemperedAttention.of(scheme, in());
    Attention inner =
        attention.inner() instanceof TemperedAttention.Biased biased
            ? (qkv_BT3d, block, level) -> biased.attendPlainly(qkv_BT3d, block)
            : scheme.of().accept(this);
    return (qkv_BTg, block, level) -> {
      try (NDArray tempered_BTg = attention.factors().multiply(qkv_BTg, block)) {
        return inner.attend(tempered_BTg, block, level);
      }
    };
  }
}
