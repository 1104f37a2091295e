package org.lengthwise.positional.attention;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lengthwise.positional.PositionalScheme;

class SchemeContractTest {

  @Test
  void everySchemeHasATestThatHoldsItToTheContract() throws Exception {
    Set<Class<?>> tested = new HashSet<>();
    for (String name : testNames()) {
      Class<?> type = Class.forName(SchemeContract.class.getPackageName() + "." + name);
      if (SchemeContract.class.isAssignableFrom(type)) {
        tested.add(
            ((SchemeContract) type.getDeclaredConstructor().newInstance()).scheme().getClass());
      }
    }
    assertThat(tested).isEqualTo(records(PositionalScheme.class).collect(Collectors.toSet()));
  }

  private static List<String> testNames() throws IOException, URISyntaxException {
    Path folder =
        Path.of(requireNonNull(SchemeContract.class.getResource("AlibiIT.class")).toURI())
            .getParent();
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith("IT.class"))
          .map(name -> name.substring(0, name.length() - ".class".length()))
          .toList();
    }
  }

  /** The records of a sealed family. */
  private static Stream<Class<?>> records(Class<?> family) {
    return family.isSealed()
        ? Stream.of(family.getPermittedSubclasses()).flatMap(SchemeContractTest::records)
        : Stream.of(family);
  }
}
