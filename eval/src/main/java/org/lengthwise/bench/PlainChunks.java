package org.lengthwise.bench;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import java.util.Set;
import org.lengthwise.kernel.KernelModule;
import org.lengthwise.model.Decoder;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.AttentionKernels;
import org.lengthwise.task.Task;

/** Linear recurrences in a plain chunk form, with gradients by autograd: a TorchScript program. */
record PlainChunks(KernelModule program) implements Attention.Provider, Task.Loss, AutoCloseable {
  static final Set<String> MEMBERS =
      Set.of("linear", "gla", "mamba2", "deltanet", "gated-deltanet", "lru");

  static PlainChunks on(Device device) {
    return new PlainChunks(
        KernelModule.load(PlainChunks.class, "chunks.py", device).withGradient());
  }

  @Override
  public Attention begin(
      PositionalScheme scheme,
      AttentionKernels kernels,
      Attention.Tensors tensors,
      Attention.Pass pass,
      NDManager manager) {
    return (rows_BTE, block, level) -> {
      NDList own = new NDList();
      scheme.parameters(pass.heads(), pass.width()).stream()
          .filter(parameter -> !parameter.name().equals("c_f.weight")) // rows have its results
          .forEach(parameter -> own.add(tensors.get(parameter.name(), block)));
      own.forEach(tensor -> tensor.setName("p[]"));
      NDList inputs =
          new NDList(rows_BTE.toType(DataType.FLOAT32, false), program.scalar(pass.heads()));
      inputs.addAll(own);
      try {
        return program.run(scheme.label().replace('-', '_'), inputs).singletonOrThrow();
      } finally {
        own.forEach(tensor -> tensor.setName(null));
      }
    };
  }

  @Override
  public NDArray of(LanguageModel decoder, Task.Batch batch) {
    return ((Decoder) decoder).attending(this).loss(batch.tokens_BT(), batch.targets());
  }

  @Override
  public void close() {
    program.close();
  }
}
