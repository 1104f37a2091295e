/**
 * Checkpoints: the folder that a run leaves behind and goes on from.
 *
 * <p>Layout of a checkpoint folder, format version 1:
 *
 * <ul>
 *   <li>{@code config.json}: the model's shape with its positional scheme, the resolved
 *       configuration, the data's tokenizer and checksum, the build ({@link
 *       org.lengthwise.training.checkpoint.RunDescription});
 *   <li>{@code model.safetensors}: float32 tensors under nanoGPT's names, linear weights [out, in];
 *       positions are {@code transformer.h.{k}.attn.r} [H, C], {@code transformer.position.p} and
 *       {@code .a} [H], {@code transformer.position.bias} [32, H]; the tied output projection is
 *       not stored;
 *   <li>{@code optimizer.safetensors}: each weight's {@code .exp_avg} and {@code .exp_avg_sq};
 *   <li>{@code state.json}: step, data cursor, seed, and the SHA-256 of the other files ({@link
 *       org.lengthwise.training.checkpoint.TrainState});
 *   <li>{@code DONE}: written last; a folder without it is not a checkpoint.
 * </ul>
 */
@NullMarked
package org.lengthwise.training.checkpoint;

import org.jspecify.annotations.NullMarked;
