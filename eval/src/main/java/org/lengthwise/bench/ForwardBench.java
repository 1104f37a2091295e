package org.lengthwise.bench;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.lengthwise.bench.RoundRobinTimer.Variant;
import org.lengthwise.bench.RoundRobinTimer.Workload;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Weights;
import org.lengthwise.random.RandomStreams;

/**
 * The forward pass of a model with the blocks of Llama, with random weights. The decoder in Java
 * and the same model as one TorchScript program take turns: the NLL of every position, and that of
 * the last position of a long sequence.
 *
 * @param length T of the passes with the NLL of every position
 * @param lastTokenLength T of the passes with the NLL of the last position
 * @param model the model: RoPE with base 10,000, RMSNorm, a gated MLP, no biases, untied
 */
public record ForwardBench(
    @Unit("tokens") int length, @Unit("tokens") int lastTokenLength, ModelConfig model)
    implements BenchPart.Sizes {
  private static final long SEED = 1;
  private static final String PROGRAM = "one TorchScript program";

  public ForwardBench {
    Checks.atLeast("length", length, 1);
    Checks.atLeast("last_token_length", lastTokenLength, 1);
    Checks.require(
        model.position().label().equals("rope"),
        "model.position",
        "rope with base 10,000, the only scheme of the TorchScript program",
        model.position().label());
  }

  @Override
  public List<BenchRow> run(BenchSetting setting) {
    RandomStreams streams = new RandomStreams(SEED);
    try (Weights weights = Weights.initialise(model, streams, setting.device());
        Weights same = Weights.initialise(model, streams, setting.device());
        LanguageModel decoder = LanguageModel.of(model, weights, setting.precision());
        KernelModule program =
            KernelModule.load(ForwardBench.class, "llama.py", setting.device())) {
      NDList tensors = new NDList();
      for (NDArray tensor : same.tensors().values()) {
        tensor.setName("p[]");
        tensors.add(tensor);
      }
      List<BenchRow> rows = new ArrayList<>();
      rows.addAll(
          rows(setting, "all", length, text -> text.every(decoder), program, tensors, length));
      rows.addAll(
          rows(
              setting,
              "last token",
              lastTokenLength,
              text -> text.last(decoder),
              program,
              tensors,
              1));
      return rows;
    }
  }

  private List<BenchRow> rows(
      BenchSetting setting,
      String what,
      int length,
      ToDoubleFunction<RandomText> ours,
      KernelModule program,
      NDList tensors,
      int numScored) {
    RandomText text = new RandomText(setting.device(), 1, length, model.vocabulary());
    String name = "%s, %s layers, d = %s".formatted(what, model.layers(), model.width());
    return setting
        .timer()
        .run(
            new Workload(BenchPart.FORWARD, name, length, length),
            List.of(
                Variant.of("lengthwise", () -> ours.applyAsDouble(text)).against(PROGRAM),
                Variant.of(
                    PROGRAM,
                    () ->
                        text.read(
                            (tokens, targets) ->
                                nll(program, tensors, tokens, targets, numScored)))));
  }

  private NDArray nll(
      KernelModule program, NDList tensors, NDArray tokens_1T, NDArray targets_1T, int numScored) {
    NDArray targets_T = targets_1T.reshape(-1);
    NDList inputs =
        new NDList(
            tokens_1T,
            targets_T.get("{}:", targets_T.size() - numScored),
            program.scalar(numScored),
            program.scalar(model.heads()),
            program.scalar(model.keyHeads()));
    inputs.addAll(tensors);
    return program.run("nll", inputs).singletonOrThrow();
  }
}
