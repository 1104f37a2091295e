/**
 * Checkpoints: the folder that a run leaves behind and goes on from, and the one that an imported
 * model becomes.
 *
 * <p>Layout of a checkpoint folder, format version 2:
 *
 * <ul>
 *   <li>{@code config.json}: {@code format_version}; {@code model} with layers K (distinct blocks),
 *       width d, heads H, vocabulary V and position ({@code scheme} and its settings, below);
 *       {@code config}, the resolved configuration; {@code data}, the tokenizer and the data's
 *       checksum; {@code build} ({@link org.lengthwise.training.checkpoint.RunDescription}). Of an
 *       imported model: {@code format_version}, {@code name}, {@code seed}, {@code model}, {@code
 *       length}, {@code tokenizer}, {@code source} and {@code build} ({@link
 *       org.lengthwise.training.checkpoint.ImportedModel});
 *   <li>{@code model.safetensors}: the tensors below, float32;
 *   <li>{@code optimizer.safetensors}: each weight's {@code .exp_avg} and {@code .exp_avg_sq}; not
 *       of an imported model;
 *   <li>{@code state.json}: step, data cursor, seed, the latest losses and any roll-back ({@code
 *       guard}), the validation loss where it was measured, and the SHA-256 of the other files
 *       ({@link org.lengthwise.training.checkpoint.TrainState});
 *   <li>{@code DONE}: written last; a folder without it is not a checkpoint.
 * </ul>
 *
 * <h2>The model</h2>
 *
 * <p>Tensors carry nanoGPT's names; k = 0..K-1 is the distinct block. A linear layer is y = W x + b
 * with W [out, in]. LayerNorm divides by sqrt(variance + 1e-5), the variance that of all d numbers.
 *
 * <ul>
 *   <li>{@code transformer.wte.weight} [V, d]: x<sub>m</sub> = wte[token<sub>m</sub>], m = 0..T-1,
 *       or what a scheme says instead. Each of the blocks, in order, then adds twice to x:
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
 * <p>{@code c_attn} yields q, k and v, d numbers each, one behind the other; head h is the slice
 * [hD, (h+1)D) of each, D = d/H. Query m attends to the keys n = 0..m: the result is the mean of
 * v<sub>n</sub> under softmax(q<sub>m</sub> k<sub>n</sub> / sqrt(D) + bias), the heads' results one
 * behind the other. {@code score} prints, for N tokens, -ln of the softmax of the logits after
 * tokens 0..i at token i + 1; the model reads T = N - 1 of them, and nothing is put before them.
 *
 * <h2>The schemes</h2>
 *
 * <p>What {@code position} names, with its settings in brackets, and the tensors that it adds. With
 * delta = m - n and h = 0..H-1, bias is 0 and nothing is turned or added but for what is said here.
 * Where bounds are given, a value beyond them counts as the bound.
 *
 * <ul>
 *   <li>{@code none} (): nothing.
 *   <li>{@code alibi} (): bias = -s<sub>h</sub> delta. For H a power of two, s<sub>h</sub> =
 *       2<sup>-8(h+1)/H</sup>. Otherwise, c the largest power of two below H, the first c are those
 *       of c heads, and s<sub>c+i</sub> = 2<sup>-8(2i+1)/(2c)</sup>.
 *   <li>{@code kerple-log} (): {@code transformer.position.p} [H], {@code transformer.position.a}
 *       [H]; bias = -p<sub>h</sub> ln(1 + a<sub>h</sub> delta), p and a at least 0.01.
 *   <li>{@code kerple-power} (): {@code transformer.position.p} [H], {@code transformer.position.a}
 *       [H]; bias = -a<sub>h</sub> delta<sup>p<sub>h</sub></sup>, a at least 0.01, p at least 0.01
 *       and at most 2.
 *   <li>{@code t5} (): {@code transformer.position.bias} [32, H]; bias = the entry [b, h], b =
 *       delta below 16, min(31, 16 + floor(16 ln(delta / 16) / ln 8)) from there on.
 *   <li>{@code sandwich} ({@code dimension}): bias = H / (8 (h + 1)) times the sum over i =
 *       0..dimension/2-1 of cos(delta / 10000<sup>2i/dimension</sup>) - 1.
 *   <li>{@code fire} ({@code threshold}): {@code transformer.h.{k}.attn.fire.c} [1], {@code
 *       transformer.h.{k}.attn.fire.l} [1], {@code transformer.h.{k}.attn.fire.c_fc.weight} [32,
 *       1], {@code transformer.h.{k}.attn.fire.c_fc.bias} [32], {@code
 *       transformer.h.{k}.attn.fire.c_proj.weight} [H, 32], {@code
 *       transformer.h.{k}.attn.fire.c_proj.bias} [H]; bias = number h of c_proj(max(0, c_fc(y))), y
 *       = ln(1 + c delta) / ln(1 + c max(threshold l, m)), c and l at least 0.001.
 *   <li>{@code rope} ({@code base}): with a<sub>i</sub> = m base<sup>-2i/D</sup>, i = 0..D/2-1, the
 *       pair (u, w) of a query's or a key's numbers i and i + D/2 becomes (u cos a<sub>i</sub> - w
 *       sin a<sub>i</sub>, w cos a<sub>i</sub> + u sin a<sub>i</sub>), m its own position. Scalings
 *       are chosen at test time ({@link org.lengthwise.positional.ScaledRope}) and not stored.
 *   <li>{@code sinusoidal} (): x<sub>m</sub> = sqrt(d) wte[token<sub>m</sub>] + e; e<sub>2i</sub> =
 *       sin(m / 10000<sup>2i/d</sup>), e<sub>2i+1</sub> = the cosine of the same.
 *   <li>{@code learned} ({@code positions}): {@code transformer.wpe.weight} [positions, d];
 *       x<sub>m</sub> = wte[token<sub>m</sub>] + wpe[m]; T is at most positions.
 *   <li>{@code sliding-window} ({@code window}, {@code within}): keys with delta below window
 *       alone; within is {@code alibi}, for its bias, or {@code none}.
 *   <li>{@code regulargpt} ({@code chunk}, {@code thickness}): {@code transformer.h.{k}.attn.r} [H,
 *       chunk]; thickness is K. All blocks run in order at level l = 0, again at 1, and so on for
 *       the fewest levels L of at least 1 with chunk<sup>L</sup> at least T. At level l keys with
 *       delta = j chunk<sup>l</sup> alone, j = 0..chunk-1; bias = r[h, j].
 * </ul>
 */
@NullMarked
package org.lengthwise.training.checkpoint;

import org.jspecify.annotations.NullMarked;
