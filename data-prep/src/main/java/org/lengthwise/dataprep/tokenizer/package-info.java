/**
 * Tokenizers: text to token ids and back.
 *
 * <p>Three kinds stand behind one interface: bytes, GPT-2's byte-pair encoding, and anything a
 * Hugging Face {@code tokenizer.json} describes. None of them downloads anything.
 *
 * <p>Invariants: ids lie in {@code [0, vocabularySize)}; encoding never yields the end-of-text id,
 * whatever the text spells, so that id always means that a document ended; every tokenizer may be
 * used by several threads at once; {@link org.lengthwise.dataprep.tokenizer.Tokenizer#sha256} is
 * the same exactly when the same text gives the same ids.
 */
@NullMarked
package org.lengthwise.dataprep.tokenizer;

import org.jspecify.annotations.NullMarked;
