package org.lengthwise.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class DifferencesTest {

  private static JsonNode json(String text) throws IOException {
    return new ObjectMapper().readTree(text);
  }

  @Test
  void namesEachKeyThatDiffersWithBothValues() throws IOException {
    assertThat(
            Differences.between(
                json("{\"a\":{\"steps\":300,\"rate\":0.1},\"list\":[{\"x\":1}]}"),
                json("{\"a\":{\"steps\":600,\"rate\":0.1},\"list\":[{\"x\":2}],\"new\":[1,2]}")))
        .containsExactly(
            "a.steps was 300, is now 600",
            "list[0].x was 1, is now 2",
            "new was nothing, is now [1,2]");
  }

  @Test
  void equalConfigurationsHaveNone() throws IOException {
    assertThat(Differences.between(json("{\"a\":1,\"b\":2}"), json("{\"b\":2,\"a\":1}"))).isEmpty();
  }
}
