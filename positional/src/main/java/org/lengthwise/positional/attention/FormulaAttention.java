package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.lengthwise.positional.Formula;
import org.lengthwise.positional.FormulaParameter;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalParameter.Bounds;
import org.lengthwise.positional.formula.Variable;

/**
 * Attention with a formula's bias, in the fastest form that the formula allows: a table by distance
 * ({@link BiasedAttention}), a table within a window ({@link WindowAttention}), or a bias that is
 * computed for one block of queries at a time, so that it is never stored for all pairs. Blocks of
 * the model share a table unless the formula depends on the block.
 */
final class FormulaAttention implements SchemeAttention {
  private static final int MOST_QUERIES = 256;

  /** The largest number of biases of a block of queries, over all steps of the formula: 32 MB. */
  private static final int MOST_NUMBERS = 1 << 23;

  private final Formula scheme;
  private final AttentionKernels kernels;
  private final FormulaKernels formula;
  private final Attention.Tensors tensors;
  private final Attention.Pass pass;
  private final NDManager manager;
  private final Map<Integer, SchemeAttention> byBlock = new HashMap<>();

  FormulaAttention(
      Formula scheme,
      AttentionKernels kernels,
      Attention.Tensors tensors,
      Attention.Pass pass,
      NDManager manager) {
    this.scheme = scheme;
    this.kernels = kernels;
    this.formula = kernels.formula(scheme, pass);
    this.tensors = tensors;
    this.pass = pass;
    this.manager = manager;
  }

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    return scheme.dependsOnPositions()
        ? byQuery("formula", qkv_BT3d, block, queries(scheme, pass.heads(), pass.length()))
        : byDistance(block).attend(qkv_BT3d, block, level);
  }

  /** Computes {@link #attend} with every score at once, for comparison. */
  NDArray attendPlainly(NDArray qkv_BT3d, int block) {
    return scheme.dependsOnPositions()
        ? byQuery("plain_formula", qkv_BT3d, block, pass.length())
        : kernels.plain(qkv_BT3d, table(block), 1);
  }

  private NDArray byQuery(String kernel, NDArray qkv_BT3d, int block, int queries) {
    try (NDManager scope = qkv_BT3d.getManager().newSubManager()) {
      NDList parameters = parameters(block, scope);
      return formula.attend(kernel, qkv_BT3d, parameters, block, queries);
    }
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BT2d, int block) {
    if (!scheme.dependsOnPositions()) {
      return byDistance(block).attendStrided(q_B1d, kv_BT2d, block);
    }
    try (NDManager scope = q_B1d.getManager().newSubManager()) {
      return formula.last(q_B1d, kv_BT2d, parameters(block, scope), block);
    }
  }

  private SchemeAttention byDistance(int block) {
    return byBlock.computeIfAbsent(
        scheme.dependsOnLayer() ? block : 0,
        k ->
            scheme.window().isPresent()
                ? new WindowAttention(kernels, table(k), false, false, pass)
                : scheme.parameters().isEmpty() && pass.sample().isEmpty()
                    ? BiasedAttention.of(fixed(k), kernels, pass)
                    : BiasedAttention.of(table(k), kernels, pass));
  }

  /** A bias without parameters, which passes of a shape share. */
  private BiasedAttention.Fixed fixed(int block) {
    NDArray table_HT = table(block);
    return kernels
        .fixed(scheme, pass, Fixed::new)
        .biases()
        .computeIfAbsent(block, k -> BiasedAttention.Fixed.of(table_HT, kernels));
  }

  /** The bias of a block by head and distance [H, min(W, T)], float32. */
  NDArray table(int block) {
    Fixed fixed = kernels.fixed(scheme, pass, Fixed::new);
    NDList parts =
        fixed
            .parts()
            .computeIfAbsent(scheme.uses(Variable.LAYER) ? block : 0, k -> parts(fixed.like(), k));
    if (scheme.parameters().isEmpty()) {
      return kernels.select(parts.get(0), 1, pass.places(), manager);
    }
    NDArray table = formula.table(parts, parameters(block, manager));
    table.attach(manager);
    return kernels.select(table, 1, pass.places(), manager);
  }

  /** The parts of the formula without parameters, or the whole table if there are no others. */
  private NDList parts(NDArray like, int block) {
    int numDistances = Math.min(scheme.window().orElse(pass.range()), pass.range());
    NDList parts = formula.distances(like, numDistances, pass.length(), block);
    if (!scheme.parameters().isEmpty()) {
      return parts;
    }
    try (parts) {
      return new NDList(formula.withGradient().table(parts, new NDList(like)));
    }
  }

  /**
   * What passes of a shape share.
   *
   * @param like a tensor on the device, which owns the parts: [1, 1, 1], for a formula without
   *     parameters
   * @param parts {@link #parts} by block
   * @param biases {@link #fixed} by block, of a formula without parameters and window
   */
  private record Fixed(
      NDArray like, Map<Integer, NDList> parts, Map<Integer, BiasedAttention.Fixed> biases) {
    Fixed(NDManager owner) {
      this(owner.zeros(new Shape(1, 1, 1)), new HashMap<>(), new HashMap<>());
    }
  }

  /** The parameters of a block within their bounds, in the shapes that the kernels expect. */
  private NDList parameters(int block, NDManager owner) {
    NDList parameters = new NDList();
    for (PositionalParameter parameter : scheme.parameters(pass.heads(), pass.width())) {
      FormulaParameter described =
          Objects.requireNonNull(scheme.parameters().get(parameter.name()));
      NDArray stored = tensors.get(parameter.name(), block);
      NDArray bounded =
          parameter.bounds().equals(Bounds.NONE)
              ? stored
              : kernels.clamp(stored, parameter.bounds());
      long copies = described.isPerHead() ? pass.heads() : 1;
      NDArray shaped =
          described.size() == null
              ? bounded.reshape(copies, 1, 1)
              : bounded.reshape(copies, described.size());
      if (bounded != stored) {
        bounded.attach(owner);
      }
      shaped.attach(owner); // a result belongs to its first operand's manager, here the weights'
      parameters.add(shaped);
    }
    return parameters.isEmpty() ? new NDList(owner.zeros(new Shape(1, 1, 1))) : parameters;
  }

  /** The number of queries in a block, if the bias depends on positions. */
  private static int queries(Formula scheme, int heads, int length) {
    long row = scheme.numSteps() * heads * length;
    return (int) Math.max(1, Math.min(MOST_QUERIES, MOST_NUMBERS / row));
  }

  static AttentionMemory.Kept kept(Formula scheme, AttentionMemory memory) {
    boolean isLearned = !scheme.parameters().isEmpty();
    if (scheme.window().isPresent()) {
      return new AttentionMemory.Kept(
          memory.bandedBytes(scheme.window().getAsInt(), 1, isLearned), 0);
    } else if (!scheme.dependsOnPositions()) {
      AttentionMemory.Kept kept = BiasedAttention.kept(isLearned, memory);
      return scheme.dependsOnLayer()
          ? new AttentionMemory.Kept(kept.layerBytes() + kept.sharedBytes(), 0)
          : kept;
    }
    int queries = queries(scheme, memory.heads(), memory.length());
    long steps = isLearned ? scheme.numSteps() * memory.heads() : memory.heads();
    long attended =
        memory.isGpu() || !isLearned
            ? memory.biasBytes(queries) + memory.fusedBytes()
            : memory.scoreBytes(queries);
    return new AttentionMemory.Kept(Float.BYTES * memory.numPairs(queries) * steps + attended, 0);
  }
}
