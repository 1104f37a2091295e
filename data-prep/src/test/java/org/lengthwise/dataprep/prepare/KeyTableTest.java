package org.lengthwise.dataprep.prepare;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyTableTest {

  @Test
  void itAnswersLikeAHashSet() {
    long seed = Long.getLong("lengthwise.test.seed", 31);
    Random random = new Random(seed);
    KeyTable table = new KeyTable();
    Set<TextKey> set = new HashSet<>();
    List<TextKey> differing = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      // Some keys occur twice, some differ in a few bits only, some are all in one segment.
      long high = random.nextInt(4) == 0 ? random.nextInt(1000) : random.nextLong();
      long low = random.nextInt(4) == 0 ? random.nextInt(10) : random.nextLong();
      TextKey key = new TextKey(high, low == 0 ? 2 : low);
      if (table.add(key) != set.add(key)) {
        differing.add(key);
      }
    }
    assertThat(differing).as("seed %d", seed).isEmpty();
    assertThat(table.size()).isEqualTo(set.size());
  }

  @Test
  void theKeyOfZerosCanBeAddedToo() {
    KeyTable table = new KeyTable();
    assertThat(table.add(new TextKey(0, 0))).isTrue();
    assertThat(table.add(new TextKey(0, 0))).isFalse();
  }
}
