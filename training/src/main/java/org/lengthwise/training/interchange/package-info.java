/**
 * Export of checkpoints and import of models.
 *
 * <ul>
 *   <li>{@code safetensors}: one file {@code model.safetensors} with the checkpoint's own tensors
 *       and names, for every positional scheme. Its metadata holds the texts of {@code config.json}
 *       and {@code state.json} under {@code lengthwise.config} and {@code lengthwise.state}, and
 *       {@code format} is {@code pt}.
 *   <li>The families of public decoders ({@link org.lengthwise.training.interchange.Family}):
 *       {@code config.json}, {@code model.safetensors} or several files with their index, and often
 *       {@code tokenizer.json}, as Hugging Face lays them out. A table for each family says where
 *       its tensors have our numbers. {@link org.lengthwise.training.interchange.FamilyReader}
 *       reads the family's keys with their defaults, {@link
 *       org.lengthwise.training.interchange.FamilyWriter} writes them. A family can hold a model if
 *       the reader gets the model's shape from the written config.json.
 * </ul>
 *
 * <p>Invariants: float32 numbers keep their bits; one tensor is in memory at a time, with one of
 * its parts. A stored head of a tied model is compared with the embedding, both in memory.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.training.interchange;

import org.jspecify.annotations.NullMarked;
