/**
 * Models out of checkpoints and into them, in two layouts.
 *
 * <ul>
 *   <li>{@code safetensors}: one file {@code model.safetensors} with the checkpoint's own tensors
 *       and names, whatever the positional scheme; its metadata holds the texts of {@code
 *       config.json} and {@code state.json} under {@code lengthwise.config} and {@code
 *       lengthwise.state}, and {@code format} is {@code pt}.
 *   <li>{@code gpt2}: {@code config.json} and {@code model.safetensors} as Hugging Face's GPT-2 has
 *       them. Names are nanoGPT's, as ours are, with or without {@code transformer.}; the weights
 *       of {@code c_attn}, {@code c_proj} and {@code c_fc} are stored [in, out], ours [out, in];
 *       {@code wpe.weight} holds the scheme {@code learned}. Other schemes have no place in this
 *       layout.
 * </ul>
 *
 * <p>Invariant: a float32 number leaves and enters with the same bits. Tensors pass one by one.
 */
@NullMarked
package org.lengthwise.training.interchange;

import org.jspecify.annotations.NullMarked;
