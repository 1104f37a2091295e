package org.lengthwise.eval.bench;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What an operator of libtorch, or a kernel of CUDA, does, as its name tells. */
enum Work {
  /** Attention without a matrix of scores. */
  FUSED_ATTENTION,
  /** Attention by products and a softmax, as one operator. */
  PLAIN_ATTENTION,
  /** The softmax of scores that were laid out. */
  SOFTMAX,
  /** A matrix product. */
  PRODUCT,
  /** Anything else. */
  OTHER;

  private static final String ATTENTION = "aten::_scaled_dot_product_";
  private static final String PLAIN = ATTENTION + "attention_math";
  private static final Set<String> SOFTMAXES =
      Set.of("aten::_softmax", "aten::_softmax_backward_data");
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

  /** The kernels of flash attention, of memory-efficient attention and of cuDNN's. */
  private static final Pattern FUSED_KERNEL =
      Pattern.compile("flash_[fb]wd\\w*|fmha_cutlass\\w*|\\w*sdpa\\w*");

  /** The matrix products of cuBLAS, under the names of its generations, and of CUTLASS. */
  private static final Pattern PRODUCT_KERNEL = Pattern.compile("gemm|nvjet|cutlass|xmma");

  static Work ofOperator(String name) {
    if (name.startsWith(ATTENTION)) {
      return name.startsWith(PLAIN) ? PLAIN_ATTENTION : FUSED_ATTENTION;
    }
    if (SOFTMAXES.contains(name)) {
      return SOFTMAX;
    }
    return PRODUCTS.contains(name) ? PRODUCT : OTHER;
  }

  static Work ofKernel(String name) {
    if (FUSED_KERNEL.matcher(name).find()) {
      return FUSED_ATTENTION;
    }
    return PRODUCT_KERNEL.matcher(name).find() ? PRODUCT : OTHER;
  }

  /** The part of a fused kernel's name that tells which it is, without its template's arguments. */
  static String label(String name) {
    Matcher kernel = FUSED_KERNEL.matcher(name);
    return !name.startsWith("aten::") && kernel.find() ? kernel.group() : name;
  }

  /** Whether attention is done by it, or within it. */
  boolean attends() {
    return this == FUSED_ATTENTION || this == PLAIN_ATTENTION || this == SOFTMAX;
  }

  /** Whether its time is that of matrix products. */
  boolean multiplies() {
    return this == FUSED_ATTENTION || this == PRODUCT;
  }
}
