package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Random;

/**
 * A string of letters, and its letters in reverse order, T = 2L + 2. Ids: letters 0..25, BOS 26,
 * SEP 27, EOS 28. Source: Kazemnejad et al., "The Impact of Positional Encoding on Length
 * Generalization in Transformers", NeurIPS 2023.
 *
 * @param lengths the shortest and the longest training length L, the letters to repeat
 */
@JsonTypeName("reverse")
public record Reverse(List<Integer> lengths) implements DrawnTask {
  private static final Copying COPYING = new Copying(true);

  public Reverse {
    lengths = Form.range(lengths, length -> length >= 1, "1 or more");
  }

  @Override
  public Form form() {
    return COPYING.form("its letters in reverse order (Kazemnejad et al. 2023)");
  }

  @Override
  public int[] draw(int length, Stream stream, Random random) {
    return COPYING.draw(length, random);
  }

  @Override
  public RecallString label(int[] ids) {
    return COPYING.label(ids);
  }
}
