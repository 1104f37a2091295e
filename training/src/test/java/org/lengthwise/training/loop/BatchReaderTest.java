package org.lengthwise.training.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.positional.Alibi;
import org.lengthwise.positional.attention.Precision;
import org.lengthwise.task.DataIdentity;
import org.lengthwise.task.LanguageModelling;
import org.lengthwise.task.RepeatingTokens;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;
import org.lengthwise.training.config.TrainingConfig;

class BatchReaderTest {
  private static final TrainingConfig CONFIG =
      SmallRun.describe(new Alibi(), SmallRun.loop(1, 4, Precision.FLOAT32), 1e-3).config();
  private static final Task TASK = task(new RepeatingTokens(20 * 16 + 1, 7)); // 20 windows

  private static Task task(TokenStream tokens) {
    TokenizerIdentity tokenizer = new TokenizerIdentity("test", "0".repeat(64), 7, 0);
    return new LanguageModelling(
        new DataIdentity(tokenizer, "0".repeat(64)), tokens, tokens, CONFIG);
  }

  private static BatchReader reader(Task task, long cursor) {
    return new BatchReader(task, 4, 2, cursor);
  }

  private static List<long[]> take(BatchReader reader, long cursor) {
    return reader.take(cursor).stream().map(Samples::tokens).toList();
  }

  @Test
  void batchesReadAheadEqualThoseReadOneByOne() {
    Task other = task(new RepeatingTokens(20 * 16 + 1, 7));
    try (BatchReader reader = reader(TASK, 0)) {
      for (long cursor = 0; cursor < 60; cursor += 4) { // three epochs
        List<long[]> expected =
            List.of(other.training(cursor, 2).tokens(), other.training(cursor + 2, 2).tokens());
        assertThat(take(reader, cursor)).usingRecursiveComparison().isEqualTo(expected);
      }
    }
  }

  @Test
  void readerOfAResumedRunContinuesAtItsCursor() {
    try (BatchReader whole = reader(TASK, 0);
        BatchReader resumed = reader(task(new RepeatingTokens(20 * 16 + 1, 7)), 8)) {
      take(whole, 0);
      take(whole, 4);
      assertThat(take(resumed, 8)).usingRecursiveComparison().isEqualTo(take(whole, 8));
      assertThatThrownBy(() -> resumed.take(8))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("begins at sample 12, not at 8");
    }
  }

  @Test
  void failureToReadReachesTheStep() {
    TokenStream broken =
        new TokenStream() {
          @Override
          public long numTokens() {
            return 101;
          }

          @Override
          public void read(long offset, int[] destination, int from, int count) {
            throw new IllegalStateException("the folder is closed");
          }
        };
    try (BatchReader reader = reader(task(broken), 0)) {
      assertThatThrownBy(() -> reader.take(0)).hasMessage("the folder is closed");
    }
  }
}
