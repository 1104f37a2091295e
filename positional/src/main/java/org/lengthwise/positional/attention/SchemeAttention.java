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
 * Attention of a scheme, one implementation for each form. It serves passes that need all positions
 * and passes that need the last position only.
 */
sealed interface SchemeAttention extends Attention, LastPositionAttention
    permits BiasedAttention,
        ContentAttention,
        DilatedAttention,
        FireAttention,
        FormulaAttention,
        LayersAttention,
        LinearAttention,
        RotaryAttention,
        RotaryWindowAttention,
        RowAttention,
        TemperedAttention,
        TemperedAttention.Biased,
        UnbiasedAttention,
        WindowAttention {

  /** Whether cuDNN's attention has all gradients. */
  default boolean suitsCudnn() {
    return false;
  }

  @Override
  default NDArray attend(NDArray qkv_BN3d, int block) {
    return attend(qkv_BN3d, block, 0);
  }

  @Override
  default NDArray attendNext(NDArray q_B1d, NDArray kv_BT2d, int block, int level) {
    return attendStrided(q_B1d, kv_BT2d, block);
  }

  /** A scheme of one level ends with the last position's query. */
  @Override
  default int stride(int rows) {
    return rows;
  }

  /** Makes the attention of each form for one pass. */
  record Factory(AttentionKernels kernels, Tensors tensors, Pass pass, NDManager manager)
      implements AttentionForm<SchemeAttention> {

    @Override
    public SchemeAttention noBias(PositionalScheme scheme) {
      return new UnbiasedAttention(kernels, pass);
    }

    @Override
    public SchemeAttention byDistance(DistanceBias scheme) {
      return BiasedAttention.of(scheme, this);
    }

    @Override
    public SchemeAttention window(SlidingWindow scheme) {
      return WindowAttention.of(scheme, kernels, pass);
    }

    @Override
    public SchemeAttention rotary(Rotary scheme) {
      RotaryAttention all = RotaryAttention.of(scheme, this);
      return scheme
          .layerWindow()
          .<SchemeAttention>map(window -> RotaryWindowAttention.of(window, scheme, all, this))
          .orElse(all);
    }

    @Override
    public SchemeAttention byQuery(Fire scheme) {
      return new FireAttention(scheme, kernels, tensors, pass);
    }

    @Override
    public SchemeAttention byContent(TransformerXl scheme) {
      return ContentAttention.of(scheme, this);
    }

    @Override
    public SchemeAttention dilated(RegularGpt scheme) {
      return new DilatedAttention(scheme, kernels, tensors, pass);
    }

    @Override
    public SchemeAttention formula(Formula scheme) {
      return new FormulaAttention(scheme, this);
    }

    @Override
    public SchemeAttention layers(Layers scheme) {
      return new LayersAttention(
          scheme, tensors, (entry, own) -> entry.accept(new Factory(kernels, own, pass, manager)));
    }

    @Override
    public SchemeAttention byRows(RowScheme scheme) {
      return RowAttention.of(scheme, this);
    }

    @Override
    public SchemeAttention recurrent(Linear scheme) {
      return new LinearAttention(scheme, kernels, tensors, pass, scheme.chunk());
    }

    @Override
    public SchemeAttention sampled(Randomized scheme) {
      Pass sampled = pass.sampledBy(scheme);
      return scheme.part(0).accept(new Factory(kernels, tensors, sampled, manager));
    }

    /** The rows (axis 0) or columns (axis 1) of a table at the positions that the pass draws. */
    NDArray select(NDArray table, int axis) {
      return kernels.select(table, axis, pass.places(), manager);
    }

    @Override
    public SchemeAttention tempered(Tempered scheme) {
      return TemperedAttention.of(scheme, this);
    }
  }
}
