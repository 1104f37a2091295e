package org.lengthwise.model;

/**
 * The floating-point operations of training, by the estimate of {@link ModelConfig#flopsPerToken}.
 *
 * @param model the shape of the model
 */
record Flops(ModelConfig model) {
  /** {@return those of one token of a sequence of T, forward and backward} */
  double perToken(int length) {
    if (model.kind().isNetwork()) {
      return 6
          * model.width()
          * (model.kind().sums() * (double) model.width() + (double) model.labels() / length);
    }
    return model.isClassifier() ? ofClassifier(length) / length : ofLanguageModel(length);
  }

  /**
   * The operations of one training token in block k but for attention: 6 for each parameter and
   * each multiplication of a linear recurrence.
   */
  private double ofBlock(int block) {
    long own =
        model
            .linear(block)
            .map(shape -> shape.multiplications() + (long) model.width() * shape.gates())
            .orElse(0L);
    return 6.0 * (ParameterLayout.numBlock(model, block) + own);
  }

  /** The operations of the scores of one training token in block k over T keys. */
  private double ofScores(int block, int length) {
    return model.linear(block).isPresent()
        ? 0
        : 12.0 * model.attentionWidth() * model.recurrence().rowLength(length);
  }

  private double ofClassifier(int length) {
    double fewer =
        ofBlock(model.layers() - 1)
            - 12.0 * model.width() * model.keyWidth(); // without keys and values
    double flops =
        6.0 * model.labels() * model.width()
            + length * model.recurrence().extraFlops(model.width());
    for (int level = 0; level < model.position().reach().levels(length); level++) {
      double rows = model.rows(level, length);
      double next = model.rows(level + 1, length); // the last block of a level has no other queries
      int executed = model.blocksOfLevel() * model.recurrence().passes();
      flops += rows * executed * model.meanOfBlocks(this::ofBlock) - (rows - next) * fewer;
      flops += next == rows ? rows * executed * model.meanOfBlocks(k -> ofScores(k, length)) : 0;
    }
    return flops;
  }

  private double ofLanguageModel(int length) {
    double output =
        (double) model.vocabulary() * model.tokenWidth() + ParameterLayout.numProjections(model);
    return 6 * output
        + model.executedLayers(length) * model.meanOfBlocks(k -> ofBlock(k) + ofScores(k, length))
        + model.recurrence().extraFlops(model.width());
  }
}
