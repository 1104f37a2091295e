package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import org.lengthwise.positional.Layers;
import org.lengthwise.positional.PositionalScheme;

/**
 * Attention of a list of schemes. The blocks of equal entries share one attention, which the first
 * of them makes: a model may have fewer blocks than the list has entries.
 *
 * @param tensors the learnable tensors of all entries
 * @param factory makes the attention of an entry with its tensors
 * @param byEntry the attention of each first entry that a block has used
 */
record LayersAttention(
    Layers scheme,
    Attention.Tensors tensors,
    BiFunction<PositionalScheme, Attention.Tensors, SchemeAttention> factory,
    Map<Integer, SchemeAttention> byEntry)
    implements SchemeAttention {

  LayersAttention(
      Layers scheme,
      Attention.Tensors tensors,
      BiFunction<PositionalScheme, Attention.Tensors, SchemeAttention> factory) {
    this(scheme, tensors, factory, new HashMap<>());
  }

  /** The tensors of an entry. What all its blocks share is read through its first block. */
  static Attention.Tensors tensors(Layers scheme, int entry, Attention.Tensors tensors) {
    return (name, block) -> tensors.get(name, scheme.entry(block) == entry ? block : entry);
  }

  private SchemeAttention in(int block) {
    return byEntry.computeIfAbsent(
        scheme.entry(block),
        entry -> factory.apply(scheme.part(entry), tensors(scheme, entry, tensors)));
  }

  @Override
  public NDArray attend(NDArray qkv_BTg, int block, int level) {
    return in(block).attend(qkv_BTg, block, level);
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BTg, int block) {
    return in(block).attendStrided(q_B1d, kv_BTg, block);
  }
}
