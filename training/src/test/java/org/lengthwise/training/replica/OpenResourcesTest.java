package org.lengthwise.training.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class OpenResourcesTest {
  private final List<String> closed = new ArrayList<>();

  @Test
  void latestIsClosedFirstAndNothingTwice() {
    OpenResources resources = new OpenResources();
    resources.add("first", () -> closed.add("first"));
    resources.add("second", () -> closed.add("second"));
    resources.close();
    resources.close();
    assertThat(closed).containsExactly("second", "first");
  }

  @Test
  void allAreClosedAfterAFailureToCloseOne() {
    OpenResources resources = new OpenResources();
    resources.add("first", () -> closed.add("first"));
    resources.add(
        "second",
        () -> {
          throw new IllegalStateException("stuck");
        });
    resources.add("third", () -> closed.add("third"));
    assertThatThrownBy(resources::close).hasMessage("stuck");
    assertThat(closed).containsExactly("third", "first");
  }
}
