package org.lengthwise.positional.attention;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.function.Consumer;
import org.lengthwise.positional.PositionalScheme;

/**
 * Attention that also reports its weights, of any scheme and with their graph. What a head returns
 * is linear in the values, so its weights are what it returns for the rows of an identity matrix,
 * of which a pass holds as many as a head has features. Only for float32. A linear recurrence has
 * no weights, and nothing is reported of its blocks.
 *
 * @param inner the attention of a scheme, which is watched
 * @param report gets the weights of each layer
 */
public record WatchedAttention(
    Attention inner, PositionalScheme scheme, Attention.Pass pass, Consumer<Weights> report)
    implements Attention {

  /**
   * The weights of all heads of a layer.
   *
   * @param block the block k
   * @param level the level l
   * @param weights_BHnn a row for each query, a column for each key; owned by the manager of the
   *     pass. The first rows and columns may be positions before the start
   */
  public record Weights(int block, int level, NDArray weights_BHnn) {}

  /** {@return a provider of watched attention} */
  public static Attention.Provider of(Attention.Provider inner, Consumer<Weights> report) {
    return (scheme, kernels, tensors, pass, manager) ->
        new WatchedAttention(
            inner.begin(scheme, kernels, tensors, pass, manager), scheme, pass, report);
  }

  @Override
  public NDArray attend(NDArray qkv_BTf, int block, int level) {
    if (scheme.inBlock(block).recurrence(pass.heads(), pass.width()).isEmpty()) {
      report.accept(new Weights(block, level, weights(qkv_BTf, block, level)));
    }
    return inner.attend(qkv_BTf, block, level);
  }

  private NDArray weights(NDArray qkv_BTf, int block, int level) {
    NDManager owner = qkv_BTf.getManager();
    long batch = qkv_BTf.getShape().get(0);
    int length = Math.toIntExact(qkv_BTf.getShape().get(1));
    int features = pass.headWidth();
    NDArray before_BTf = qkv_BTf.get(new NDIndex(":, :, :{}", 2 * pass.width()));
    NDArray behind_BTf = qkv_BTf.get(new NDIndex(":, :, {}:", 3 * pass.width()));
    NDArray identity_1Tn = owner.eye(length + features).expandDims(0);
    NDList parts = new NDList();
    for (int first = 0; first < length; first += features) {
      NDArray values_BTf =
          identity_1Tn
              .get(new NDIndex(":, :{}, {}:{}", length, first, first + features))
              .tile(new long[] {batch, 1, pass.heads()});
      NDArray attended_BTf =
          inner.attend(before_BTf.concat(values_BTf, 2).concat(behind_BTf, 2), block, level);
      parts.add(
          attended_BTf
              .reshape(new Shape(batch, length, pass.heads(), features))
              .transpose(0, 2, 1, 3));
    }
    NDArray weights_BHTn = parts.size() == 1 ? parts.get(0) : NDArrays.concat(parts, 3);
    return weights_BHTn.get(new NDIndex(":, :, :, :{}", length));
  }
}
