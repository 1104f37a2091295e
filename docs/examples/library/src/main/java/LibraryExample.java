import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.training.GradientCollector;
import java.util.List;
import java.util.Map;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.generate.Scorer;
import org.lengthwise.measure.perplexity.Evaluation;
import org.lengthwise.measure.perplexity.EvaluationConfig;
import org.lengthwise.measure.perplexity.ProtocolConfig;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Weights;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.PositionalValues;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.result.ScoredTargets;
import org.lengthwise.task.Task;
import org.lengthwise.task.Windows;
import org.lengthwise.training.config.OptimizerConfig;
import org.lengthwise.training.optimizer.AdamW;

/** Trains a small decoder with ALiBi on the shards of a folder, and measures it. */
final class LibraryExample {
  private static final int LENGTH = 64; // T_tr
  private static final int BATCH = 8;

  public static void main(String[] arguments) {
    try (ShardFolder shards = ShardFolder.open(arguments[0]);
        NDManager manager = NDManager.newBaseManager(Device.cpu(), "PyTorch")) {
      Alibi scheme = new Alibi();
      int vocabulary = shards.manifest().tokenizer().vocabularySize();
      ModelConfig config = new ModelConfig(2, 32, 4, vocabulary, scheme);
      PositionalValues values = new PositionalValues(4, config.headWidth(), Map.of());
      System.out.println("bias of head 0 at distance 3: " + scheme.bias(values, 0, 3));

      try (Weights weights = Weights.initialise(config, new RandomStreams(1), Device.cpu());
          LanguageModel model = LanguageModel.of(config, weights, Precision.FLOAT32)) {
        train(model, weights, shards, manager);

        int[] tokens = new int[LENGTH + 1];
        shards.tokens(Split.TEST).read(0, tokens, 0, tokens.length);
        float[] nlls = new Scorer(model, manager).score(tokens);
        System.out.println("first scored token: " + nlls[0] + " nats");

        ProtocolConfig lastToken = new ProtocolConfig.Aligned(20);
        List<Integer> lengths = List.of(LENGTH, 4 * LENGTH);
        Evaluation evaluation = new Evaluation(EvaluationConfig.of(lastToken), lengths);
        for (int length : lengths) {
          ScoredTargets scored = evaluation.score(model, manager, shards, lastToken, length);
          System.out.println("perplexity at " + length + " tokens: " + scored.perplexity());
        }
      }
    }
  }

  private static void train(
      LanguageModel model, Weights weights, ShardFolder shards, NDManager manager) {
    weights.requireGradients();
    Windows windows = new Windows(shards.tokens(Split.TRAIN), LENGTH, "train");
    try (AdamW optimizer = new AdamW(OptimizerConfig.of(3e-3), weights)) {
      for (int step = 1; step <= 10; step++) {
        int first = (step - 1) * BATCH;
        try (NDManager pass = manager.newSubManager();
            GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
          Task.Batch batch = windows.read(BATCH, b -> (first + b) % windows.numWindows()).on(pass);
          NDArray loss = model.loss(batch.tokens_BT(), batch.targets());
          collector.backward(loss);
          System.out.println("step " + step + ": loss " + loss.getFloat());
        }
        optimizer.clip().close();
        optimizer.update(step, 3e-3);
      }
    }
  }
}
