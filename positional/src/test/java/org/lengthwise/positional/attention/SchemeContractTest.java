package org.lengthwise.positional.attention;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.Linear;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.Schemes;

/**
 * Checks that every scheme has a case of the contract, a position file and a row in the
 * documentation.
 */
class SchemeContractTest {
  @Test
  void everySchemeIsACaseOfTheContract() {
    Set<Class<?>> tested =
        SchemeCase.all().stream().map(one -> one.scheme().getClass()).collect(Collectors.toSet());
    tested.add(Linear.class); // has no attention: LinearIT
    assertThat(Schemes.records().stream().filter(type -> !tested.contains(type)))
        .as("add a case to SchemeCase for each")
        .isEmpty();
  }

  @Test
  void everySchemeHasAPositionFileThatLoads() {
    Set<Class<?>> loaded =
        Schemes.inFiles().stream().map(PositionalScheme::getClass).collect(Collectors.toSet());
    Map<String, Class<?>> missing = new TreeMap<>(Schemes.byName());
    missing.values().removeAll(loaded);
    assertThat(missing.keySet()).as("add a file for each to conf/position").isEmpty();
  }

  @Test
  void everySchemeHasASectionInTheDocumentation() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("../docs/reference/schemes.md"));
    Stream<String> missing =
        Schemes.byName().keySet().stream().filter(name -> !lines.contains("### `" + name + "`"));
    assertThat(missing).as("add a section for each to docs/reference/schemes.md").isEmpty();
  }
}
