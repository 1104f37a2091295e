package org.lengthwise.eval.bench;

import ai.djl.Device;
import java.util.List;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.training.model.Decoder;
import org.lengthwise.training.model.Weights;

/**
 * A training step in float32, forward, backward, clip and update: the decoder in Java around its
 * kernels, against the same model whose forward pass and loss are one TorchScript program, as it is
 * written and as TorchScript's graph optimiser rewrites it. All start from the same weights, see
 * the same batches and take turns, step by step.
 *
 * @param sizes an ALiBi model and its batches; steps is how many of each are timed
 * @param memory where the process's memory is read
 */
record TrainingBench(TrainingSizes sizes, ProcessMemory memory) {
  private static final String PROGRAM = "one TorchScript program";
  private static final String OPTIMIZED = "the program, optimised";

  /** All three forms. */
  List<BenchRow> run(Device device) {
    try (Weights own = TrainingStep.weights(sizes, device);
        Weights programs = TrainingStep.weights(sizes, device);
        Decoder decoder = new Decoder(sizes.model(), own, Precision.FLOAT32);
        Weights rewritten = TrainingStep.weights(sizes, device);
        TorchScriptDecoder program = new TorchScriptDecoder(sizes.model(), programs, false);
        TorchScriptDecoder optimized = new TorchScriptDecoder(sizes.model(), rewritten, true);
        TrainingStep ours = new TrainingStep(sizes, own, decoder::loss);
        TrainingStep theirs = new TrainingStep(sizes, programs, program::loss);
        TrainingStep best = new TrainingStep(sizes, rewritten, optimized::loss)) {
      String name =
          "d = %d, %d layers, batch %d"
              .formatted(sizes.model().width(), sizes.model().layers(), sizes.batch());
      return new BenchRow.Subject(Part.TRAINING, name, sizes.length(), sizes.tokensPerStep())
          .rows(
              new Interleaved(memory, sizes.steps())
                  .run(
                      List.of(
                          Interleaved.Form.of("lengthwise", ours::next).against(PROGRAM, OPTIMIZED),
                          Interleaved.Form.of(PROGRAM, theirs::next),
                          Interleaved.Form.of(OPTIMIZED, best::next))));
    }
  }
}
