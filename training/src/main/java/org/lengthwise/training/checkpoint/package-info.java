/**
 * Checkpoints of runs and of imported models.
 *
 * <p>Layout of a checkpoint folder, format version 3.
 *
 * <ul>
 *   <li>{@code config.json}: {@code format_version}; {@code model} with layers K (distinct blocks),
 *       width d, heads H, vocabulary V, position ({@code scheme} and its settings), recurrence
 *       ({@code kind} and its settings), form and labels ({@link org.lengthwise.model.ModelConfig};
 *       absent keys mean a GPT-2 language model without recurrence); {@code config}, the resolved
 *       configuration; {@code data}, the tokenizer and the data's checksum; {@code build} ({@link
 *       org.lengthwise.training.checkpoint.RunDescription}). For an imported model: {@code
 *       format_version}, {@code name}, {@code seed}, {@code model}, {@code length}, {@code
 *       tokenizer}, {@code source}, {@code task} (absent for a language model), {@code
 *       bos_token_id} (absent if documents begin without BOS) and {@code build} ({@link
 *       org.lengthwise.training.checkpoint.ImportedModel});
 *   <li>{@code model.safetensors}: the tensors below, float32;
 *   <li>{@code optimizer.safetensors}: each weight's {@code .exp_avg} and {@code .exp_avg_sq};
 *       absent for an imported model;
 *   <li>{@code states.safetensors}: with {@code training.states: carried}, the states that the B
 *       sequences of the next step begin with. Names begin as those of block k and end with {@code
 *       attn.state.0}, [B, H, D, D] or [B, 2d] of lru, and {@code attn.state.1}, the rows before
 *       the next one that a convolution reads, [B, 3, columns];
 *   <li>{@code tokenizer.json}: a copy of the imported model's file, if there is one;
 *   <li>{@code state.json}: step, data cursor, seed, the latest losses and any roll-back ({@code
 *       guard}), the validation loss if it was measured, and the SHA-256 of the other files ({@link
 *       org.lengthwise.training.checkpoint.TrainState});
 *   <li>{@code DONE}: written last; a folder without it is not a checkpoint.
 * </ul>
 *
 * <h2>The model</h2>
 *
 * <p>Tensors carry nanoGPT's names; k = 0..K-1 is the distinct block. A linear layer is y = W x + b
 * with W [out, in]. LayerNorm divides by sqrt(variance + 1e-5), with the variance over all d
 * numbers.
 *
 * <ul>
 *   <li>{@code transformer.wte.weight} [V, d]: x<sub>m</sub> = wte[token<sub>m</sub>], m = 0..T-1,
 *       unless the scheme changes it. Each block, in order, then adds to x twice:
 *   <li>{@code transformer.h.{k}.ln_1.weight} [d], {@code transformer.h.{k}.ln_1.bias} [d], {@code
 *       transformer.h.{k}.attn.c_attn.weight} [3d, d], {@code transformer.h.{k}.attn.c_attn.bias}
 *       [3d], {@code transformer.h.{k}.attn.c_proj.weight} [d, d], {@code
 *       transformer.h.{k}.attn.c_proj.bias} [d]: x += c_proj(attention(c_attn(ln_1(x))));
 *   <li>{@code transformer.h.{k}.ln_2.weight} [d], {@code transformer.h.{k}.ln_2.bias} [d], {@code
 *       transformer.h.{k}.mlp.c_fc.weight} [4d, d], {@code transformer.h.{k}.mlp.c_fc.bias} [4d],
 *       {@code transformer.h.{k}.mlp.c_proj.weight} [d, 4d], {@code
 *       transformer.h.{k}.mlp.c_proj.bias} [d]: x += c_proj(gelu(c_fc(ln_2(x)))), gelu(y) = 0.5 y
 *       (1 + tanh(sqrt(2/pi) (y + 0.044715 y<sup>3</sup>)));
 *   <li>{@code transformer.ln_f.weight} [d], {@code transformer.ln_f.bias} [d]: the logits of the
 *       token after m are wte ln_f(x<sub>m</sub>); there is no other output projection.
 * </ul>
 *
 * <p>This is the form of GPT-2. {@link org.lengthwise.model.DecoderForm} has the other choices.
 * With {@code attention_bias: false}, the biases of c_attn and c_proj are absent and 0. With {@code
 * embedding_scale: sqrt-width}, wte is multiplied by sqrt(d). With {@code activation: relu},
 * gelu(y) is max(0, y). With {@code norm: post}, x = ln_1(x + c_proj(attention(c_attn(x)))), then x
 * = ln_2(x + c_proj(gelu(c_fc(x)))), and ln_f is absent. With {@code causal: false} a query attends
 * to all keys; an absent key means true.
 *
 * <p>A classifier of strings has N = {@code labels} &gt; 0 and the tensors {@code
 * classifier.weight} [N, d] and {@code classifier.bias} [N]: the logits of the labels are W
 * ln_f(x<sub>T-1</sub>) + b.
 *
 * <p>A model of the kind {@code rnn} is a classifier with other tensors: {@code rnn.weight_ih_l0}
 * [d, V], {@code rnn.bias_ih_l0} [d], {@code rnn.weight_hh_l0} [d, d] and {@code rnn.bias_hh_l0}
 * [d]. h<sub>t</sub> = max(0, weight_ih_l0 x<sub>t</sub> + bias_ih_l0 + weight_hh_l0
 * h<sub>t-1</sub> + bias_hh_l0) with one-hot x and h<sub>-1</sub> = 0, and the logits of the labels
 * are W h<sub>T-1</sub> + b. An absent kind is {@code decoder}.
 *
 * <p>The output of {@code c_attn} is the concatenation of q, k and v, d numbers each. Head h is the
 * slice [hD, (h+1)D) of each, D = d/H. Query m attends to the keys n = 0..m: the result is the mean
 * of v<sub>n</sub> under softmax(q<sub>m</sub> k<sub>n</sub> / sqrt(D) + bias). The results of the
 * heads are concatenated. For N tokens {@code score} prints -ln of the softmax of the logits after
 * tokens 0..i at token i + 1. The model reads T = N - 1 tokens; no token is added before them.
 *
 * <h2>Recurrence</h2>
 *
 * <p>With {@code staircase}, there are no further tensors. With {@code block-recurrent}, block r =
 * {@code layer} also has, after its {@code mlp.c_proj} and with the prefix {@code state} in the
 * block: init [S, d], ids [S, d], ln.weight [d], ln.bias [d], c_attn.weight [4d, d] (q_self, k, v,
 * q_tok), c_attn.bias [4d], c_proj.weight [d, 2d] (self, tokens), c_proj.bias [d], gate [d],
 * c_read.weight [d, d], c_read.bias [d] and c_read_proj.weight [d, d], which has no bias.
 * docs/explanation/recurrence.md has the formulas.
 *
 * <h2>The schemes</h2>
 *
 * <p>docs/reference/schemes.md has a section for each value of {@code scheme}: its formula, its
 * settings, and the tensors that it adds.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.training.checkpoint;

import org.jspecify.annotations.NullMarked;
