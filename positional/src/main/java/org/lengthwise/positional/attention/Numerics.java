package org.lengthwise.positional.attention;

/**
 * How a model computes.
 *
 * @param precision the format of products
 * @param residual the format of the residual stream and of its norms in passes with a graph;
 *     without one they are float32
 * @param cudnn whether passes with a graph use cuDNN's attention where it has all gradients;
 *     otherwise libtorch chooses among its own kernels
 */
public record Numerics(Precision precision, Precision residual, boolean cudnn) {

  /** {@return products in a format, a residual stream in float32, and libtorch's attention} */
  public static Numerics of(Precision precision) {
    return new Numerics(precision, Precision.FLOAT32, false);
  }

  /** {@return the same with another choice of cuDNN's attention} */
  public Numerics withCudnn(boolean chosen) {
    return new Numerics(precision, residual, chosen);
  }

  /** {@return whether products run in bfloat16} */
  public boolean isBf16() {
    return precision == Precision.BFLOAT16;
  }
}
