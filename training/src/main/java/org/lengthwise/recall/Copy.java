package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.util.List;
import java.util.Random;

/**
 * A string of letters, and its letters again, T = 2L + 2. Ids: letters 0..25, BOS 26, SEP 27, EOS
 * 28. Source: Jelassi et al., "Repeat After Me", ICML 2024.
 *
 * @param lengths the shortest and the longest training length L, the letters to repeat
 */
@JsonTypeName("copy")
public record Copy(List<Integer> lengths) implements DrawnTask {
  private static final Copying COPYING = new Copying(false);

  public Copy {
    lengths = Form.range(lengths, length -> length >= 1, "1 or more");
  }

  @Override
  public Form form() {
    return COPYING.form("its letters again (Jelassi et al. 2024)");
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
