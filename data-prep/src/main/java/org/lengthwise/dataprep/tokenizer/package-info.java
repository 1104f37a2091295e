/**
 * Tokenizers: text to token ids and back.
 *
 * <p>Three kinds implement one interface: bytes, GPT-2's byte-pair encoding, and any tokenizer that
 * a Hugging Face {@code tokenizer.json} describes. None of them downloads files.
 *
 * <p>Invariants: ids are in {@code [0, vocabularySize)}. No text is encoded to the end-of-text id,
 * so that id always ends a document. Tokenizers are safe for use by several threads. Two tokenizers
 * have the same {@link org.lengthwise.dataprep.tokenizer.Tokenizer#sha256} only if they give equal
 * texts equal ids.
 *
 * <p>Callers of the library may use this package.
 */
@NullMarked
package org.lengthwise.dataprep.tokenizer;

import org.jspecify.annotations.NullMarked;
