package org.lengthwise.dataprep.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShardCacheTest {

  private static final Path HOME = Path.of("/home/user");

  @Test
  void theEnvironmentDecidesWhereTheCacheIs() {
    assertThat(root(Map.of("LENGTHWISE_CACHE", "/fast", "XDG_CACHE_HOME", "/x")))
        .isEqualTo(Path.of("/fast"));
    assertThat(root(Map.of("XDG_CACHE_HOME", "/x"))).isEqualTo(Path.of("/x/lengthwise"));
    assertThat(root(Map.of("LENGTHWISE_CACHE", "")))
        .isEqualTo(Path.of("/home/user/.cache/lengthwise"));
  }

  private static Path root(Map<String, String> environment) {
    return ShardCache.ofUser(environment, HOME).root();
  }
}
