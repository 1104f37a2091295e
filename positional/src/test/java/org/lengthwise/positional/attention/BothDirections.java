package org.lengthwise.positional.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

/** The contract of a scheme whose queries also see later keys. */
abstract class BothDirections extends SchemeContract {
  @Override
  final boolean isCausal() {
    return false;
  }

  @Test
  void laterTokensChangeEarlierResults() {
    AttentionCase original = AttentionCase.random(scheme(), 29, false, new Random(1));
    AttentionCase changed = original.withRandomTail(28, new Random(2));
    assertThat(changed.prefixOfResult(attend(changed), 1))
        .isNotEqualTo(original.prefixOfResult(attend(original), 1));
  }
}
