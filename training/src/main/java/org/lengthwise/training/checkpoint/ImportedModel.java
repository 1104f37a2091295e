package org.lengthwise.training.checkpoint;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.config.AbsentMeans;
import org.lengthwise.config.Checks;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.training.config.TaskConfig;

/**
 * A model that was imported from files, or computed from an automaton or an n-gram model. It has
 * neither a configuration nor moments of an optimizer.
 *
 * @param seed the seed of its training; 0 if unknown
 * @param length T_tr; if unknown, the longest length that its files state
 * @param task the task of a classifier of strings; null for a language model
 * @param bosTokenId the id of BOS, with which the model reads every document first; null if it
 *     reads documents without BOS
 */
public record ImportedModel(
    int formatVersion,
    String name,
    long seed,
    ModelConfig model,
    int length,
    TokenizerIdentity tokenizer,
    Source source,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable TaskConfig task,
    @JsonInclude(JsonInclude.Include.NON_NULL) @AbsentMeans("null") @Nullable Integer bosTokenId,
    BuildInfo build)
    implements ModelOrigin {

  public ImportedModel {
    Checks.name("name", name);
    Checks.require(
        tokenizer.vocabularySize() <= model.vocabulary(),
        "tokenizer",
        "at most %s ids, the model's vocabulary".formatted(model.vocabulary()),
        tokenizer.vocabularySize());
    int bos = bosTokenId == null ? 0 : bosTokenId;
    Checks.require(
        bos >= 0 && bos < model.vocabulary(),
        "bos_token_id",
        "an id from 0 to " + (model.vocabulary() - 1),
        bos);
  }

  @Override
  public Optional<TaskConfig> stringTask() {
    return Optional.ofNullable(task);
  }

  @Override
  public Optional<Integer> bos() {
    return Optional.ofNullable(bosTokenId);
  }

  /**
   * The files that a model was read from.
   *
   * @param layout {@code safetensors} or a family, such as {@code llama}; {@link #AUTOMATON} or
   *     {@link #N_GRAM} for a computed model
   * @param files the SHA-256 of each, in hexadecimal, by file name; of the counted text for an
   *     n-gram model
   */
  public record Source(
      String layout,
      Map<String, String> files,
      @JsonInclude(JsonInclude.Include.NON_EMPTY) @AbsentMeans("{}") Map<String, String> settings) {
    public static final String AUTOMATON = "automaton";

    public static final String N_GRAM = "n-gram";

    public Source {
      files = Collections.unmodifiableMap(new TreeMap<>(files));
      settings = Collections.unmodifiableMap(new TreeMap<>(settings));
    }

    public Source(String layout, Map<String, String> files) {
      this(layout, files, Map.of());
    }

    @JsonIgnore
    public boolean isComputed() {
      return layout.equals(AUTOMATON) || layout.equals(N_GRAM);
    }
  }
}
