package org.lengthwise.eval;

import ai.djl.Device;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.ReferenceDecoder;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;

/** A small model whose weights are large enough that every token matters. */
public final class SmallModel implements AutoCloseable {
  private static final int VOCABULARY = 11;

  private final Weights weights;
  private final LanguageModel decoder;
  private final NDManager manager;

  /** A model of two blocks with the given positional scheme. */
  public SmallModel(PositionalScheme scheme) {
    this(scheme, Device.cpu());
  }

  /** The same model, to the bit, on another device. */
  public SmallModel(PositionalScheme scheme, Device device) {
    this(new ModelConfig(2, 12, 3, VOCABULARY, scheme), device);
  }

  /** A model of another shape. */
  public SmallModel(ModelConfig config, Device device) {
    manager = NDManager.newBaseManager(device, "PyTorch");
    weights = Weights.initialise(config, new RandomStreams(3), device);
    for (NDArray tensor : weights.tensors().values()) {
      if (tensor.getShape().dimension() > 1) {
        tensor.muli(10);
      }
    }
    decoder = LanguageModel.of(config, weights, Precision.FLOAT32);
  }

  public LanguageModel decoder() {
    return decoder;
  }

  /** The same model in plain doubles. */
  public ReferenceDecoder reference() {
    Map<String, double[]> values = new HashMap<>();
    weights.tensors().forEach((name, tensor) -> values.put(name, doubles(tensor.toFloatArray())));
    return new ReferenceDecoder(decoder.config(), values);
  }

  private static double[] doubles(float[] floats) {
    return IntStream.range(0, floats.length).mapToDouble(i -> floats[i]).toArray();
  }

  public NDManager manager() {
    return manager;
  }

  /** Random tokens, the same at every reading. */
  public static TokenStream tokens(int count) {
    return TokenStream.of(new Random(5).ints(count, 0, VOCABULARY).toArray());
  }

  @Override
  public void close() {
    decoder.close();
    weights.close();
    manager.close();
  }
}
