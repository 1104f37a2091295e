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
  /** Arithmetic on a list of tensors: one call on a GPU, a call for each tensor on a CPU. */
  LIST,
  /** A view, an allocation or a question: no work for a device, unless another operator does it. */
  PASSIVE,
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

  private static final Pattern PASSIVES =
      Pattern.compile(
          "aten::(_fused_sdp_choice|_local_scalar_dense|_reshape_alias|_unsafe_view|alias"
              + "|as_strided|contiguous|detach_?|empty|empty_like|empty_strided|expand|expand_as"
              + "|flatten|item|narrow|new_empty|permute|reshape|resize_|resolve_conj|resolve_neg"
              + "|result_type|select|slice|split|squeeze|t|to|transpose|type_as|unbind|unfold"
              + "|unsqueeze|view)");

  /** Products that only arrange their inputs and call another product. */
  private static final Set<String> ARRANGING = Set.of("aten::matmul", "aten::linear");

  private static final Pattern OF_LISTS = Pattern.compile("aten::_(foreach|fused_adamw)_\\w*");

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
    if (OF_LISTS.matcher(name).matches()) {
      return LIST;
    }
    if (PASSIVES.matcher(name).matches()) {
      return PASSIVE;
    }
    return PRODUCTS.contains(name) ? PRODUCT : OTHER;
  }

  static OperatorKind ofKernel(String name) {
    if (FUSED_KERNEL.matcher(name).find()) {
      return FUSED_ATTENTION;
    }
    return PRODUCT_KERNEL.matcher(name).find() ? PRODUCT : OTHER;
  }

  /** Whether an operator counts as one, whatever it calls. This depends on the processor. */
  static boolean isSingle(String name) {
    return switch (ofOperator(name)) {
      case FUSED_ATTENTION, LIST -> true;
      case PRODUCT -> !ARRANGING.contains(name);
      case PLAIN_ATTENTION, SOFTMAX_GRADIENT, PASSIVE, OTHER -> false;
    };
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
