package org.lengthwise.bench;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The kind of a libtorch operator or a CUDA kernel, found by its name. */
enum OperatorKind {
  /** Attention without a matrix of scores. */
  FUSED_ATTENTION,
  /** Attention by products and a softmax, wrapped in one operator. */
  PLAIN_ATTENTION,
  /** The gradient of the softmax of a matrix of scores. The loss has a softmax without it. */
  SOFTMAX_GRADIENT,
  /** A matrix product. */
  PRODUCT,
  /** Anything else. */
  OTHER;

  private static final String ATTENTION = "aten::_scaled_dot_product_";
  private static final String PLAIN = ATTENTION + "attention_math";
  private static final String SOFTMAX_BACKWARD = "aten::_softmax_backward_data";
  private static final Set<String> PRODUCTS =
      Set.of(
          "aten::mm",
          "aten::addmm",
          "aten::addmm_",
          "aten::bmm",
          "aten::baddbmm",
          "aten::baddbmm_",
          "aten::matmul",
          "aten::linear");

  /** The kernels of flash attention, of memory-efficient attention and of cuDNN's attention. */
  private static final Pattern FUSED_KERNEL =
      Pattern.compile("flash_[fb]wd\\w*|fmha_cutlass\\w*|\\w*sdpa\\w*");

  /** The matrix products of cuBLAS (all generations of names) and of CUTLASS. */
  private static final Pattern PRODUCT_KERNEL = Pattern.compile("gemm|nvjet|cutlass|xmma");

  static OperatorKind ofOperator(String name) {
    if (name.startsWith(ATTENTION)) {
      return name.startsWith(PLAIN) ? PLAIN_ATTENTION : FUSED_ATTENTION;
    }
    if (name.equals(SOFTMAX_BACKWARD)) {
      return SOFTMAX_GRADIENT;
    }
    return PRODUCTS.contains(name) ? PRODUCT : OTHER;
  }

  static OperatorKind ofKernel(String name) {
    if (FUSED_KERNEL.matcher(name).find()) {
      return FUSED_ATTENTION;
    }
    return PRODUCT_KERNEL.matcher(name).find() ? PRODUCT : OTHER;
  }

  /** The name without the template arguments of a fused kernel. */
  static String label(String name) {
    Matcher kernel = FUSED_KERNEL.matcher(name);
    return !name.startsWith("aten::") && kernel.find() ? kernel.group() : name;
  }

  /** Whether the operator computes attention or a part of it. */
  boolean attends() {
    return this == FUSED_ATTENTION || this == PLAIN_ATTENTION || this == SOFTMAX_GRADIENT;
  }

  /** Whether the operator's time counts as time of matrix products. */
  boolean multiplies() {
    return this == FUSED_ATTENTION || this == PRODUCT;
  }
}
