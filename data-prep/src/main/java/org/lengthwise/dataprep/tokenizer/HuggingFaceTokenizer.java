package org.lengthwise.dataprep.tokenizer;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/**
 * Any tokenizer that a Hugging Face {@code tokenizer.json} describes, run by the Rust library that
 * the format belongs to.
 *
 * <p>End-of-text is found among the file's added tokens. Special tokens spelled out in a text are
 * characters like any others. Decoding gives the text back as far as the described tokenizer keeps
 * it: byte-level ones do, lower-casing ones cannot.
 */
public final class HuggingFaceTokenizer implements Tokenizer {

  private final TokenizerFile file;
  private final ai.djl.huggingface.tokenizers.HuggingFaceTokenizer engine;

  /**
   * Reads the file and loads the native library.
   *
   * @param path a {@code tokenizer.json}
   * @throws org.lengthwise.dataprep.ConfigException if the file cannot be read, is no tokenizer, or
   *     names no end-of-text token
   */
  public HuggingFaceTokenizer(Path path) {
    file = TokenizerFile.read(path);
    byte[] json = file.engineJson().getBytes(StandardCharsets.UTF_8);
    Map<String, String> bareAndWhole =
        Map.of("addSpecialTokens", "false", "truncation", "false", "padding", "false");
    try {
      engine =
          ai.djl.huggingface.tokenizers.HuggingFaceTokenizer.newInstance(
              new ByteArrayInputStream(json), bareAndWhole);
    } catch (IOException | RuntimeException e) {
      throw TokenizerFile.unusable(path, String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public String name() {
    return file.path().getFileName().toString();
  }

  @Override
  public String sha256() {
    return file.sha256();
  }

  @Override
  public int vocabularySize() {
    return file.vocabularySize();
  }

  @Override
  public int endOfText() {
    return file.endOfText();
  }

  @Override
  public int[] encode(String text) {
    long[] ids = engine.encode(text, false, false).getIds();
    int[] narrow = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      narrow[i] = Math.toIntExact(ids[i]);
    }
    return narrow;
  }

  @Override
  public String decode(int[] ids) {
    long[] ordinary = Arrays.stream(ids).filter(id -> id != endOfText()).asLongStream().toArray();
    return engine.decode(ordinary, false);
  }

  @Override
  public void close() {
    engine.close();
  }
}
