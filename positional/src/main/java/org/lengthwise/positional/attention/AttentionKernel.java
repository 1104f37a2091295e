package org.lengthwise.positional.attention;

/** The fused kernel of attention in training on a GPU. */
public enum AttentionKernel {
  /** The faster one at the shape of the run, by a timing when the run begins or resumes. */
  AUTO,
  /** libtorch's own: flash attention, or memory-efficient attention with a bias. */
  FLASH,
  /** That of cuDNN, which has no gradient of a bias and needs bfloat16. */
  CUDNN
}
