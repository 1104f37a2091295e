/**
 * Checkpoints: the folder that a run leaves behind and goes on from.
 *
 * <p>Layout of a checkpoint folder, format version 1:
 *
 * <ul>
 *   <li>{@code config.json}: {@code format_version}; {@code model} with layers (distinct blocks),
 *       width, heads, vocabulary and position ({@code scheme}: alibi, kerple-log, kerple-power, t5,
 *       none, or regulargpt with {@code chunk} C and {@code thickness} K); {@code config}, the
 *       resolved configuration; {@code data}, the tokenizer and the data's checksum; {@code build}
 *       ({@link org.lengthwise.training.checkpoint.RunDescription});
 *   <li>{@code model.safetensors}: float32 tensors under nanoGPT's names, linear weights [out, in];
 *       head h is the slice [hD, (h+1)D) of each of q, k and v; positions are {@code
 *       transformer.h.{k}.attn.r} [H, C], {@code transformer.position.p} and {@code .a} [H], {@code
 *       transformer.position.bias} [32, H]; the tied output projection is not stored;
 *   <li>{@code optimizer.safetensors}: each weight's {@code .exp_avg} and {@code .exp_avg_sq};
 *   <li>{@code state.json}: step, data cursor, seed, and the SHA-256 of the other files ({@link
 *       org.lengthwise.training.checkpoint.TrainState});
 *   <li>{@code DONE}: written last; a folder without it is not a checkpoint.
 * </ul>
 */
@NullMarked
package org.lengthwise.training.checkpoint;

import org.jspecify.annotations.NullMarked;
