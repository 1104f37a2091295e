package org.lengthwise.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.lengthwise.eval.SmallModel;
import org.lengthwise.generate.Generator.Limit;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Schemes;

class GeneratorIT {
  private static final int VOCABULARY = 11;
  private static final int NEVER = -1;
  private static final int[] PROMPT = {3, 1, 4, 1, 5};

  static List<PositionalScheme> schemes() {
    return Schemes.all();
  }

  private static int[] generate(SmallModel model, double temperature, int context, Limit limit) {
    Generator generator =
        new Generator(model.decoder(), model.manager(), new Sampler(temperature, 0, 1), context, 0);
    List<Integer> tokens = new ArrayList<>();
    int count = generator.generate(PROMPT, limit, new Random(8), tokens::add);
    assertThat(tokens).hasSize(count);
    return tokens.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The most likely token is the one with the best score after the same tokens. */
  @ParameterizedTest
  @MethodSource("schemes")
  void greedyTokensHaveTheBestScores(PositionalScheme scheme) {
    int context = 7;
    try (SmallModel model = new SmallModel(scheme)) {
      Scorer scorer = new Scorer(model.decoder(), model.manager());
      int[] all = Arrays.copyOf(PROMPT, PROMPT.length + 12);
      int[] found = generate(model, 0, context, new Limit(12, NEVER));
      System.arraycopy(found, 0, all, PROMPT.length, found.length);
      for (int end = PROMPT.length; end < all.length; end++) {
        boolean isCut = end > context && !model.decoder().config().hasBoundedState();
        int first = isCut ? (end - 5) / 3 * 3 : 0; // cut to 5 tokens at 8, 11, 14, ...
        int[] window = Arrays.copyOfRange(all, first, end + 1);
        float[] nlls = new float[VOCABULARY];
        for (int id = 0; id < VOCABULARY; id++) {
          window[window.length - 1] = id;
          nlls[id] = scorer.score(window)[window.length - 2];
        }
        float best = nlls[all[end]];
        for (float nll : nlls) {
          assertThat(best).as("token %d", end).isLessThanOrEqualTo(nll + 1e-5f);
        }
      }
    }
  }

  @ParameterizedTest
  @MethodSource("schemes")
  void theSeedDecidesTheTokensAndEndOfTextStops(PositionalScheme scheme) {
    try (SmallModel model = new SmallModel(scheme)) {
      int[] tokens = generate(model, 1, 60, new Limit(30, NEVER));
      assertThat(generate(model, 1, 60, new Limit(30, NEVER))).isEqualTo(tokens).hasSize(30);
      int last = tokens[20];
      int first = 0;
      while (tokens[first] != last) {
        first++;
      }
      assertThat(generate(model, 1, 60, new Limit(30, last)))
          .isEqualTo(Arrays.copyOf(tokens, first));
    }
  }

  @Test
  void stopsWhenTheSinkReturnsFalse() {
    try (SmallModel model = new SmallModel(new Alibi())) {
      Generator generator =
          new Generator(model.decoder(), model.manager(), new Sampler(1, 0, 1), 60, 0);
      List<Integer> tokens = new ArrayList<>();
      int count =
          generator.generate(
              PROMPT,
              new Limit(30, NEVER),
              new Random(8),
              token -> {
                tokens.add(token);
                return tokens.size() < 3;
              });
      assertThat(tokens).hasSize(3).hasSize(count);
    }
  }
}
