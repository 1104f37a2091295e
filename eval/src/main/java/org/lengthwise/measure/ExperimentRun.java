package org.lengthwise.measure;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.lengthwise.positional.PositionChange;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.ModelOrigin;
import org.lengthwise.training.config.TaskConfig;
import org.lengthwise.training.config.TrainingConfig;

/** A run: what its measurements need to know before they start. */
public sealed interface ExperimentRun {

  /** {@return the name in results, the same for all seeds} */
  String name();

  long seed();

  /** {@return T_tr} */
  int length();

  PositionalScheme position();

  /** {@return K, the number of distinct blocks} */
  int layers();

  boolean allows(PositionChange change);

  /** {@return the task of a run on strings; empty for a run on a text} */
  Optional<TaskConfig> task();

  default boolean isTrained() {
    return this instanceof Trained;
  }

  /** {@return the name in the experiment, such as {@code alibi-seed1}} */
  default String nameWithSeed() {
    return name() + "-seed" + seed();
  }

  static ExperimentRun of(Checkpoint checkpoint) {
    ModelOrigin origin = checkpoint.origin();
    return new Imported(origin.name(), origin.stringTask(), () -> checkpoint);
  }

  /** A run that the experiment trains. */
  record Trained(TrainingConfig config) implements ExperimentRun {
    @Override
    public String name() {
      return config.name();
    }

    @Override
    public long seed() {
      return config.seed();
    }

    @Override
    public int length() {
      return config.longestLength();
    }

    @Override
    public PositionalScheme position() {
      return config.position();
    }

    @Override
    public int layers() {
      return config.model().layers();
    }

    @Override
    public boolean allows(PositionChange change) {
      return config.allows(change);
    }

    @Override
    public Optional<TaskConfig> task() {
      return Optional.ofNullable(config.task());
    }
  }

  /**
   * A model that is there already. One of other software is opened when it is first needed, and its
   * name needs no files. For one thread.
   */
  final class Imported implements ExperimentRun {
    private final String name;
    private final Optional<TaskConfig> task;
    private final Supplier<Checkpoint> opener;
    private @Nullable Checkpoint opened;

    private Imported(String name, Optional<TaskConfig> task, Supplier<Checkpoint> opener) {
      this.name = name;
      this.task = task;
      this.opener = opener;
    }

    /**
     * A language model of other software that is not open.
     *
     * @param opener opens it, with the same name
     */
    public Imported(String name, Supplier<Checkpoint> opener) {
      this(name, Optional.empty(), opener);
    }

    public Checkpoint checkpoint() {
      if (opened == null) {
        opened = opener.get();
      }
      return opened;
    }

    @Override
    public String name() {
      return name;
    }

    /** {@return 0, because the files do not say it} */
    @Override
    public long seed() {
      return 0;
    }

    @Override
    public int length() {
      return checkpoint().origin().length();
    }

    @Override
    public PositionalScheme position() {
      return checkpoint().origin().model().position();
    }

    @Override
    public int layers() {
      return checkpoint().origin().model().layers();
    }

    @Override
    public boolean allows(PositionChange change) {
      return checkpoint().origin().allows(change);
    }

    @Override
    public Optional<TaskConfig> task() {
      return task;
    }
  }
}
