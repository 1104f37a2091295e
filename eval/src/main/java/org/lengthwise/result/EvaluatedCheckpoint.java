package org.lengthwise.result;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.lengthwise.config.Checks;

/**
 * The checkpoint behind a result, or an n-gram baseline.
 *
 * @param run the run's name, the same for all its seeds, such as {@code regulargpt-16-2}
 * @param scheme the positional scheme, such as {@code alibi} or {@code regulargpt}; {@link
 *     #BASELINE} for a baseline
 * @param seed the seed of the training; 0 for a baseline
 * @param path the folder of the checkpoint when it was measured, or the tokens that a baseline
 *     counts; for information only
 * @param trainLength T_tr, the training length in tokens; for a baseline that of the models on the
 *     same targets
 * @param model the model; null for a baseline
 */
public record EvaluatedCheckpoint(
    String run,
    String scheme,
    long seed,
    @JsonProperty("checkpoint") String path,
    long step,
    int trainLength,
    @Nullable Model model) {
  /** The scheme of baselines, and how the names of their runs begin. */
  public static final String BASELINE = "kneser-ney";

  /**
   * The properties of the model of a result that a reader needs. Perplexities of different
   * tokenizers cannot be compared, and larger models have lower perplexities.
   *
   * @param layers K, the number of distinct blocks
   * @param width d
   * @param recurrence the label of what the model carries from chunk to chunk
   */
  public record Model(String tokenizer, int layers, int width, String recurrence) {

    public Model(String tokenizer, int layers, int width) {
      this(tokenizer, layers, width, "none");
    }

    public Model {
      Checks.require(!tokenizer.isBlank(), "tokenizer", "a name", "none");
      Checks.atLeast("layers", layers, 1);
      Checks.atLeast("width", width, 1);
    }
  }

  public EvaluatedCheckpoint {
    Checks.name("run", run);
    Checks.name("scheme", scheme);
    Checks.atLeast("step", step, 0);
    Checks.atLeast("train_length", trainLength, 1);
  }

  /** {@return whether it is the same model: run, seed and step name a model of a folder} */
  public boolean isSameModel(EvaluatedCheckpoint other) {
    return run.equals(other.run) && seed == other.seed && step == other.step;
  }

  public Optional<Model> knownModel() {
    return Optional.ofNullable(model);
  }
}
