package org.lengthwise.training.data;

import ai.djl.ndarray.NDArray;

/**
 * Sequences and what follows each of their tokens.
 *
 * @param tokens_BT inputs, int64
 * @param targets_BT the token after each input, int64
 */
public record Batch(NDArray tokens_BT, NDArray targets_BT) {}
