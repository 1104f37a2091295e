package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.lengthwise.positional.DistanceBias;
import org.lengthwise.positional.PositionalParameter;
import org.lengthwise.positional.PositionalParameter.Bounds;

/**
 * Attention to all earlier positions with a bias by distance.
 *
 * <p>If the bias is learned and the pass has gradients, all layers share one bias [1, H, T, T] in
 * float32. On a CPU this is small: each layer keeps the scores of every sequence anyway, and the
 * shared bias is as large as the scores of one sequence. On a GPU fused kernels keep no scores, so
 * the bias is the largest tensor of the pass if sequences are long and few. In all other passes the
 * bias is never stored for all pairs: layers share what the biases of all blocks of queries are
 * views of. If the bias is fixed, the passes of a shape share this, too.
 *
 * @param shared the bias of all pairs [1, H, T, T] if the pass computes its gradient, else {@link
 *     #shared}
 * @param learns whether the pass computes the gradient of the bias
 */
record BiasedAttention(
    AttentionKernels kernels, NDArray table_HT, NDArray shared, boolean learns, Attention.Pass pass)
    implements SchemeAttention {

  static BiasedAttention of(DistanceBias scheme, Factory in) {
    return isFixed(scheme, in.pass()) && in.pass().sample().isEmpty()
        ? of(fixed(scheme, in), in.kernels(), in.pass())
        : of(table(scheme, in), in.kernels(), in.pass());
  }

  static BiasedAttention of(NDArray table_HT, AttentionKernels kernels, Attention.Pass pass) {
    boolean learns = kernels.hasGradient() && table_HT.hasGradient();
    NDArray shared = learns ? kernels.run("bias", table_HT) : shared("shared", table_HT, kernels);
    return new BiasedAttention(kernels, table_HT, shared, learns, pass);
  }

  static BiasedAttention of(Fixed fixed, AttentionKernels kernels, Attention.Pass pass) {
    return new BiasedAttention(kernels, fixed.table_HT(), fixed.shared(), false, pass);
  }

  /**
   * The tensors of a bias without learnable numbers.
   *
   * @param table_HT the bias by head and distance, float32
   * @param shared {@link BiasedAttention#shared}
   */
  record Fixed(NDArray table_HT, NDArray shared) {
    static Fixed of(NDArray table_HT, AttentionKernels kernels) {
      return new Fixed(table_HT, BiasedAttention.shared("shared", table_HT, kernels));
    }
  }

  /**
   * What all layers share of a bias by distance, with its graph.
   *
   * @param kernel {@code shared} in the format of the products, which Java cannot read; {@code
   *     exact_shared} in float32, to be multiplied before it is rounded
   */
  static NDArray shared(String kernel, NDArray table_HT, AttentionKernels kernels) {
    return kernels
        .withGradient()
        .run(kernel, table_HT, kernels.scalar(AttentionKernels.QUERY_BLOCK));
  }

  /** The table [H, T] of a scheme in one pass, float32. */
  static NDArray table(DistanceBias scheme, Factory in) {
    NDArray all_HL =
        isFixed(scheme, in.pass()) ? fixed(scheme, in).table_HT() : learned(scheme, in);
    return in.select(all_HL, 1);
  }

  private static boolean isFixed(DistanceBias scheme, Attention.Pass pass) {
    return scheme.parameters(pass.heads(), pass.width()).isEmpty();
  }

  private static Fixed fixed(DistanceBias scheme, Factory in) {
    return in.kernels()
        .fixed(
            scheme,
            in.pass(),
            owner -> Fixed.of(scheme.table(fixedInputs(in.pass(), owner)), in.kernels()));
  }

  private static DistanceBias.TableInputs fixedInputs(Attention.Pass pass, NDManager owner) {
    return new DistanceBias.TableInputs(
        pass.heads(),
        pass.headWidth(),
        pass.range(),
        owner,
        make -> make.apply(owner),
        name -> {
          throw new IllegalArgumentException("no parameter " + name);
        });
  }

  private static NDArray learned(DistanceBias scheme, Factory in) {
    Attention.Pass pass = in.pass();
    Map<String, NDArray> bounded = new HashMap<>();
    for (PositionalParameter parameter : scheme.parameters(pass.heads(), pass.width())) {
      NDArray stored = in.tensors().get(parameter.name(), 0);
      NDArray within =
          parameter.bounds().equals(Bounds.NONE)
              ? stored.reshape(stored.getShape())
              : in.kernels().clamp(stored, parameter.bounds());
      within.attach(
          in.manager()); // a result belongs to its first operand's manager, here the weights'
      bounded.put(parameter.name(), within);
    }
    return scheme.table(
        new DistanceBias.TableInputs(
            pass.heads(),
            pass.headWidth(),
            pass.range(),
            in.manager(),
            make -> in.kernels().fixed(scheme, pass, make),
            name -> Objects.requireNonNull(bounded.get(name), name)));
  }

  @Override
  public boolean suitsCudnn() {
    return !learns;
  }

  @Override
  public NDArray attend(NDArray qkv_BT3d, int block, int level) {
    NDArray queries = kernels.scalar(AttentionKernels.QUERY_BLOCK);
    return learns
        ? kernels.run("dense", qkv_BT3d, shared, queries)
        : kernels.run("dense_in_blocks", qkv_BT3d, shared, kernels.scalar(pass.heads()), queries);
  }

  @Override
  public NDArray attendStrided(NDArray q_B1d, NDArray kv_BT2d, int block) {
    return kernels.run("dense_last", q_B1d, kv_BT2d, table_HT);
  }

  /**
   * A learned bias and its gradient are kept once, in float32, and on a GPU once more in bfloat16.
   * A fixed bias is a view: a CPU keeps reversed queries, and a GPU keeps the bias of one block of
   * queries for all layers.
   */
  static AttentionMemory.Kept kept(DistanceBias scheme, AttentionMemory memory) {
    return kept(!scheme.parameters(memory.heads(), memory.width()).isEmpty(), memory);
  }

  static AttentionMemory.Kept kept(boolean isLearned, AttentionMemory memory) {
    if (!isLearned) {
      long pairs = (long) AttentionKernels.QUERY_BLOCK * memory.heads() * memory.length();
      return memory.isGpu()
          ? new AttentionMemory.Kept(memory.fusedBytes(), memory.precision().bytes() * pairs)
          : new AttentionMemory.Kept(memory.vectorBytes(1) + memory.fusedBytes(), 0);
    }
    long attended =
        memory.isGpu() ? memory.fusedBytes() : memory.scoreBytes(AttentionKernels.QUERY_BLOCK);
    long allPairs = (long) memory.heads() * memory.length() * memory.length();
    int bytes = 2 * Float.BYTES;
    if (memory.isGpu() && memory.isBf16()) {
      bytes += 2 * memory.precision().bytes();
    }
    return new AttentionMemory.Kept(attended, bytes * allPairs);
  }
}
