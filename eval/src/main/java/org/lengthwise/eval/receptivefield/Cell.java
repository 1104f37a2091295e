package org.lengthwise.eval.receptivefield;

import java.nio.file.Path;
import org.lengthwise.eval.perplexity.MeasuredModel;
import org.lengthwise.eval.result.GradientNormsFile;
import org.lengthwise.eval.result.ModelState;

/**
 * What is measured, and resumed, as a whole: one model with one set of weights at one length.
 *
 * @param model the model
 * @param state which weights
 * @param length T
 */
record Cell(MeasuredModel model, ModelState state, int length) {

  /** Where the folder of a measurement holds this cell's gradients once it is finished. */
  Path file(Path folder) {
    return folder.resolve(GradientNormsFile.nameFor(model.described(), state, length));
  }
}
