package org.lengthwise.dataprep.tokenizer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.PriorityQueue;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LongHeapTest {

  @Test
  void agreesWithAPriorityQueueAndGrows() {
    Random random = new Random(DiverseText.SEED);
    LongHeap heap = new LongHeap(1);
    PriorityQueue<Long> expected = new PriorityQueue<>();
    for (int i = 0; i < 10_000; i++) {
      if (expected.isEmpty() || random.nextInt(5) < 3) {
        long value = random.nextInt(1_000);
        heap.add(value);
        expected.add(value);
      } else {
        assertThat(heap.removeLowest())
            .as("seed %d", DiverseText.SEED)
            .isEqualTo(expected.remove());
      }
      assertThat(heap.isEmpty()).isEqualTo(expected.isEmpty());
    }
  }
}
