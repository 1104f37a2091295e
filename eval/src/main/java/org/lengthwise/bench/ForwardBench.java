package org.lengthwise.bench;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;

/**
 * The forward pass of a model with the blocks of Llama, in float32 with random weights. The decoder
 * in Java and the same model as one TorchScript program take turns: the NLL of every position, and
 * that of the last position of a long sequence.
 */
record ForwardBench(Sizes sizes, RoundRobinTimer timer) {
  private static final long SEED = 1;
  private static final String OURS = "lengthwise";
  private static final String PROGRAM = "one TorchScript program";

  /**
   * The sizes of the part forward.
   *
   * @param length T of the passes with the NLL of every position
   * @param lastTokenLength T of the passes with the NLL of the last position
   * @param model the model: RoPE with base 10,000, RMSNorm, a gated MLP, no biases, untied
   * @param loaded a model whose bfloat16 weights are loaded
   */
  public record Sizes(
      @Unit("tokens") int length,
      @Unit("tokens") int lastTokenLength,
      ModelConfig model,
      ModelConfig loaded) {
    /** Requires positive lengths, and RoPE as the scheme. */
    public Sizes {
      Checks.atLeast("length", length, 1);
      Checks.atLeast("last_token_length", lastTokenLength, 1);
      Checks.require(
          model.position().label().equals("rope"),
          "model.position",
          "rope with base 10,000, the only scheme of the TorchScript program",
          model.position().label());
    }
  }

  /** The rows of both lengths, then those of loading. */
  List<BenchRow> run(Device device) throws IOException {
    ModelConfig config = sizes.model();
    RandomStreams streams = new RandomStreams(SEED);
    List<BenchRow> rows = new ArrayList<>();
    try (Weights weights = Weights.initialise(config, streams, device);
        Weights same = Weights.initialise(config, streams, device);
        LanguageModel model = LanguageModel.of(config, weights, Precision.FLOAT32);
        KernelModule program = KernelModule.load(ForwardBench.class, "llama.py", device)) {
      NDList tensors = new NDList();
      for (NDArray tensor : same.tensors().values()) {
        tensor.setName("p[]");
        tensors.add(tensor);
      }
      for (int scored : List.of(sizes.length(), 1)) {
        int length = scored == 1 ? sizes.lastTokenLength() : sizes.length();
        List<RoundRobinTimer.Variant> variants =
            List.of(
                variant(device, OURS, length, pass -> ours(model, pass, scored)).against(PROGRAM),
                variant(device, PROGRAM, length, pass -> nll(program, tensors, pass, scored)));
        String name =
            "%s, %s layers, d = %s"
                .formatted(scored == 1 ? "last token" : "all", config.layers(), config.width());
        rows.addAll(
            new BenchRow.Workload(BenchPart.FORWARD, name, length, length)
                .rows(timer.run(variants)));
      }
    }
    rows.addAll(new LoadingBench(sizes.loaded(), timer).run(device));
    return rows;
  }

  /**
   * A random sequence with the token that follows each of its tokens.
   *
   * @param tokens_1T the tokens
   * @param targets_T the tokens after them
   */
  private record Pass(NDArray tokens_1T, NDArray targets_T) {
    NDArray last(int scored) {
      return targets_T.get("{}:", targets_T.size() - scored);
    }
  }

  private RoundRobinTimer.Variant variant(
      Device device, String name, int length, Function<Pass, NDArray> nll) {
    return RoundRobinTimer.Variant.of(
        name,
        () -> {
          try (NDManager manager = NDManager.newBaseManager(device, "PyTorch")) {
            long[] ids =
                new RandomStreams(SEED)
                    .stream("tokens").longs(length + 1L, 0, sizes.model().vocabulary()).toArray();
            NDArray all = manager.create(ids);
            return nll.apply(new Pass(all.get(":-1").reshape(new Shape(1, length)), all.get("1:")))
                .getFloat();
          }
        });
  }

  private NDArray ours(LanguageModel model, Pass pass, int scored) {
    NDArray embedded_1Td = model.embed(pass.tokens_1T());
    NDArray x_nd =
        scored == 1 ? model.lastHidden(embedded_1Td) : model.hidden(embedded_1Td).squeeze(0);
    return model.nll(x_nd, pass.last(scored)).mean();
  }

  private NDArray nll(KernelModule program, NDList tensors, Pass pass, int scored) {
    ModelConfig model = sizes.model();
    NDList inputs =
        new NDList(
            pass.tokens_1T(),
            pass.last(scored),
            program.scalar(scored),
            program.scalar(model.heads()),
            program.scalar(model.keyHeads()));
    inputs.addAll(tensors);
    return program.run("nll", inputs).singletonOrThrow();
  }
}
