package org.lengthwise.eval.result;

/**
 * The model behind a result, as far as its numbers cannot be read without it: perplexities of other
 * tokens are other quantities, and larger models have lower ones.
 *
 * @param tokenizer the name of the tokenizer whose ids it reads, such as {@code gpt2}
 * @param layers K, the number of distinct blocks
 * @param width d
 */
public record EvaluatedModel(String tokenizer, int layers, int width) {
  /** Checks the values. */
  public EvaluatedModel {
    Checks.require(!tokenizer.isBlank(), "tokenizer", "a name", "none");
    Checks.atLeast("layers", layers, 1);
    Checks.atLeast("width", width, 1);
  }
}
