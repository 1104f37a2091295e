package org.lengthwise.positional.attention;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.kernel.KernelModule;

/**
 * The attention kernels of one device. Queries, keys and values arrive side by side as qkv [B, T,
 * 3d] float32, as one projection makes them; results are [B, T, d] float32.
 *
 * @see PlainKernels
 * @see KernelModule
 */
public final class AttentionKernels implements AutoCloseable {
  /** The queries that share a run over the keys where every earlier position is a key. */
  static final int QUERY_BLOCK = 256;

  /** Bounds of the queries that share a run over the keys of their windows. */
  private static final int LEAST_WINDOW_QUERIES = 16;

  private static final int MOST_WINDOW_QUERIES = 64;

  private final KernelModule module;
  private final Precision precision;

  /**
   * Loads the kernels.
   *
   * @param device where they run
   * @param precision the format of the products inside
   */
  public AttentionKernels(Device device, Precision precision) {
    this.module = KernelModule.load(AttentionKernels.class, "attention.py", device);
    this.precision = precision;
  }

  /**
   * Causal attention without a bias.
   *
   * @param qkv_BT3d queries, keys and values
   * @param heads H
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  NDArray causal(NDArray qkv_BT3d, int heads, boolean recordsGradient) {
    return run("causal", recordsGradient, qkv_BT3d, module.scalar(heads), half());
  }

  /**
   * The bias of every pair of positions.
   *
   * @param table_HT the bias by head and distance
   * @param recordsGradient whether a backward pass will follow
   * @return the bias [1, H, T, T], -1e30 where the key lies in the future
   */
  NDArray bias(NDArray table_HT, boolean recordsGradient) {
    return run("bias", recordsGradient, table_HT);
  }

  /**
   * Attention with an additive bias.
   *
   * @param qkv_BT3d queries, keys and values
   * @param bias_1HTT the bias, causal mask included
   * @return the attended values [B, T, d], with their graph
   */
  NDArray dense(NDArray qkv_BT3d, NDArray bias_1HTT) {
    return run("dense", true, qkv_BT3d, bias_1HTT, module.scalar(QUERY_BLOCK), half());
  }

  /**
   * Attention with an additive bias by distance that is never laid out, and not learned.
   *
   * @param qkv_BT3d queries, keys and values
   * @param table_HT the bias by head and distance
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  NDArray denseInBlocks(NDArray qkv_BT3d, NDArray table_HT, boolean recordsGradient) {
    return run(
        "dense_in_blocks", recordsGradient, qkv_BT3d, table_HT, module.scalar(QUERY_BLOCK), half());
  }

  /**
   * Attention of the last position alone, with an additive bias by distance.
   *
   * @param q_B1d the last position's query
   * @param kv_BT2d keys and values, side by side
   * @param table_HT the bias by head and distance
   * @return the attended values [B, 1, d]
   */
  NDArray denseLast(NDArray q_B1d, NDArray kv_BT2d, NDArray table_HT) {
    return run("dense_last", false, q_B1d, kv_BT2d, table_HT, half());
  }

  /**
   * Attention of the last position alone, without a bias.
   *
   * @param q_B1d the last position's query
   * @param kv_BT2d keys and values, side by side
   * @param heads H
   * @return the attended values [B, 1, d]
   */
  NDArray causalLast(NDArray q_B1d, NDArray kv_BT2d, int heads) {
    return run("causal_last", false, q_B1d, kv_BT2d, module.scalar(heads), half());
  }

  /**
   * Sliding-dilated attention.
   *
   * <p>Implementation note: without gradients and without dilation, windows are overlapping views
   * of the keys where they lie. Otherwise positions of a residue class are brought together and
   * every block of C is paired with the one before it, which the backward pass needs anyway.
   *
   * @param qkv_BT3d queries, keys and values
   * @param r_HC the bias by head and step
   * @param dilation the distance between neighbouring keys of a query
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  public NDArray banded(NDArray qkv_BT3d, NDArray r_HC, long dilation, boolean recordsGradient) {
    return dilation == 1 && !recordsGradient
        ? sliding(qkv_BT3d, r_HC)
        : run("banded", recordsGradient, qkv_BT3d, r_HC, module.scalar(dilation), half());
  }

  private NDArray sliding(NDArray qkv_BT3d, NDArray r_HC) {
    long half = r_HC.getShape().get(1) / 2;
    long queries = Math.min(Math.max(half, LEAST_WINDOW_QUERIES), MOST_WINDOW_QUERIES);
    return run(
        "sliding",
        false,
        qkv_BT3d,
        r_HC,
        module.scalar(queries),
        module.scalar(QUERY_BLOCK),
        half());
  }

  /**
   * Sliding attention of every C-th position, counted back from the last one.
   *
   * @param q_BSd the queries of those positions, S = ceil(n / C)
   * @param kv_BN2d keys and values of all n positions, side by side
   * @param r_HC the bias by head and step
   * @return the attended values [B, S, d]
   */
  NDArray slidingLast(NDArray q_BSd, NDArray kv_BN2d, NDArray r_HC) {
    return run("sliding_last", false, q_BSd, kv_BN2d, r_HC, half());
  }

  /**
   * Causal attention of queries and keys that are turned by their positions.
   *
   * @param qkv_BT3d queries, keys and values
   * @param heads H
   * @param rotations the turns of every position
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  NDArray rotary(NDArray qkv_BT3d, int heads, Rotations rotations, boolean recordsGradient) {
    return run("rotary", recordsGradient, rotaryInputs(qkv_BT3d, heads, rotations));
  }

  /** What {@link #rotary} and its plain form take. */
  NDArray[] rotaryInputs(NDArray qkv_BT3d, int heads, Rotations rotations) {
    return new NDArray[] {
      qkv_BT3d, module.scalar(heads), rotations.cos_TP(), rotations.sin_TP(), half()
    };
  }

  /**
   * The same of the last position alone.
   *
   * @param q_B1d the last position's query
   * @param kv_BT2d keys and values, side by side
   * @param heads H
   * @param rotations the turns of every position
   * @return the attended values [B, 1, d]
   */
  NDArray rotaryLast(NDArray q_B1d, NDArray kv_BT2d, int heads, Rotations rotations) {
    return run(
        "rotary_last",
        false,
        q_B1d,
        kv_BT2d,
        module.scalar(heads),
        rotations.cos_TP(),
        rotations.sin_TP(),
        half());
  }

  /**
   * Attention with FIRE's bias, laid out for one block of queries at a time.
   *
   * @param qkv_BT3d queries, keys and values
   * @param fire FIRE's tensors: c, L, then weight and bias of both layers
   * @param block the number of queries in a block
   * @param recordsGradient whether a backward pass will follow
   * @return the attended values [B, T, d]
   */
  NDArray fire(NDArray qkv_BT3d, NDList fire, int block, boolean recordsGradient) {
    return run("fire", recordsGradient, fireInputs(qkv_BT3d, fire, block));
  }

  /** What {@link #fire} and its plain form take. */
  NDArray[] fireInputs(NDArray qkv_BT3d, NDList fire, int block) {
    NDList inputs = new NDList(qkv_BT3d);
    inputs.addAll(fire);
    inputs.add(module.scalar(block));
    inputs.add(half());
    return inputs.toArray(NDArray[]::new);
  }

  /**
   * The same of the last position alone.
   *
   * @param q_B1d the last position's query
   * @param kv_BT2d keys and values, side by side
   * @param fire FIRE's tensors, as above
   * @return the attended values [B, 1, d]
   */
  NDArray fireLast(NDArray q_B1d, NDArray kv_BT2d, NDList fire) {
    NDList inputs = new NDList(q_B1d, kv_BT2d);
    inputs.addAll(fire);
    inputs.add(half());
    return run("fire_last", false, inputs.toArray(NDArray[]::new));
  }

  /**
   * Moves values into an interval; the gradient passes inside it and on its ends.
   *
   * @param values any tensor
   * @param bounds the interval
   * @param recordsGradient whether a backward pass will follow
   * @return a tensor of the same shape
   */
  NDArray clamp(NDArray values, PositionalParameter.Bounds bounds, boolean recordsGradient) {
    return run(
        "clamp",
        recordsGradient,
        values,
        module.scalar(bounds.low()),
        module.scalar(bounds.high()));
  }

  /** A whole number as an argument. */
  NDArray scalar(long value) {
    return module.scalar(value);
  }

  /** Whether products run in bfloat16, as an argument. */
  NDArray half() {
    return module.scalar(precision == Precision.BFLOAT16);
  }

  /** Runs a kernel that returns one tensor. */
  NDArray run(String method, boolean recordsGradient, NDArray... inputs) {
    return module.run(method, recordsGradient, inputs).singletonOrThrow();
  }

  @Override
  public void close() {
    module.close();
  }
}
