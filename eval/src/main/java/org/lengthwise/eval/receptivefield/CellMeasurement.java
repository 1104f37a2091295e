package org.lengthwise.eval.receptivefield;

import ai.djl.Device;
import ai.djl.ndarray.NDManager;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import java.util.function.LongConsumer;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.eval.perplexity.EvaluationConfig;
import org.lengthwise.eval.result.GradientNorms;
import org.lengthwise.eval.result.GradientNormsFile;
import org.lengthwise.training.RandomStreams;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.device.Devices;
import org.lengthwise.training.model.Decoder;
import org.lengthwise.training.model.Weights;

/**
 * Measures cells.
 *
 * @param test the tokens that chunks are drawn from
 * @param samples N, how many chunks a cell has
 * @param config the seed of the draw, the memory limit, the precision and the device
 */
record CellMeasurement(TokenStream test, int samples, EvaluationConfig config) {

  /**
   * Measures a cell and writes its gradients.
   *
   * @param cell the cell
   * @param folder where its file goes
   * @param done told how many positions have been read so far
   * @throws IOException if weights cannot be read or the file not be written
   */
  void measure(Cell cell, Path folder, LongConsumer done) throws IOException {
    Device device = Devices.of(config.device());
    try (Weights weights = weights(cell, device);
        NDManager manager = NDManager.newBaseManager(device, "PyTorch");
        Decoder decoder = new Decoder(cell.model().model(), weights, config.precision())) {
      GradientNorms norms = norms(new GradientProbe(decoder, manager), cell, done);
      GradientNormsFile.write(folder, cell.model().described(), cell.state(), norms);
    }
  }

  private static Weights weights(Cell cell, Device device) throws IOException {
    Checkpoint checkpoint = cell.model().checkpoint();
    return switch (cell.state()) {
      case TRAINED -> checkpoint.weights(device);
      case UNTRAINED ->
          Weights.initialise(
              checkpoint.origin().model(), new RandomStreams(checkpoint.state().seed()), device);
    };
  }

  private GradientNorms norms(GradientProbe probe, Cell cell, LongConsumer done) {
    int length = cell.length();
    long[] targets = targets(length);
    float[][] norms = new float[samples][];
    int batch = ProbePlan.chunks(cell.model().model(), length, config.memoryLimitMegabytes());
    for (int first = 0; first < samples; first += batch) {
      int end = Math.min(samples, first + batch);
      float[][] some = probe.norms(test, Arrays.copyOfRange(targets, first, end), length);
      System.arraycopy(some, 0, norms, first, some.length);
      done.accept((long) end * length);
    }
    return GradientNorms.of(targets, norms);
  }

  /** The same chunks for every model of the same data, length and seed. */
  private long[] targets(int length) {
    Random random = new RandomStreams(config.seed()).stream("receptive-field/" + length);
    return random.longs(samples, length, test.numTokens()).toArray();
  }
}
