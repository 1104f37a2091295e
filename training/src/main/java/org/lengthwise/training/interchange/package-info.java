/**
 * Export of checkpoints and import of models, in two layouts.
 *
 * <ul>
 *   <li>{@code safetensors}: one file {@code model.safetensors} with the checkpoint's own tensors
 *       and names, for every positional scheme. Its metadata holds the texts of {@code config.json}
 *       and {@code state.json} under {@code lengthwise.config} and {@code lengthwise.state}, and
 *       {@code format} is {@code pt}.
 *   <li>{@code gpt2}: {@code config.json} and {@code model.safetensors} of Hugging Face's GPT-2.
 *       Tensor names are equal to ours, with or without {@code transformer.}. The weights of {@code
 *       c_attn}, {@code c_proj} and {@code c_fc} are stored as [in, out], ours as [out, in]. {@code
 *       wpe.weight} holds the scheme {@code learned}. Other schemes are not supported.
 * </ul>
 *
 * <p>Invariants: float32 numbers keep their bits; one tensor is in memory at a time.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.training.interchange;

import org.jspecify.annotations.NullMarked;
