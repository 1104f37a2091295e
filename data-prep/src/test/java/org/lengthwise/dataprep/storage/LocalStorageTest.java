package org.lengthwise.dataprep.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.error.ConfigException;

class LocalStorageTest {

  @Test
  void pathsAndFileUrisAreLocalAndOtherSchemesAreNot() {
    for (String uri : new String[] {"a/b", "/a/b", "file:/a/b", "file:///a/b", "C:\\a", "a:b"}) {
      assertThat(Storage.of(uri)).as(uri).isInstanceOf(LocalStorage.class);
    }
    for (String uri : new String[] {"hdfs://host:1/a", "s3a://bucket/a", "hdfs:/a"}) {
      assertThat(Storage.of(uri)).as(uri).isInstanceOf(HadoopStorage.class);
    }
  }

  @Test
  void fileUrisAreUnescaped() {
    for (String uri :
        new String[] {"file:///a%20b/c", "FILE:/a%20b/c", "file://localhost/a%20b/c"}) {
      assertThat(Storage.localPath(uri)).as(uri).isEqualTo(Path.of("/a b/c"));
    }
    assertThat(Storage.localPath("./a b/c:d")).isEqualTo(Path.of("./a b/c:d"));
  }

  @Test
  void namesThatAreNoLocalPathAreRejected() {
    String[] names = {
      "file:/sp ace",
      "file:a",
      "file://other/a",
      "file:/a?b",
      "file:/a#b",
      "file:/%00",
      "ab:c",
      "\0"
    };
    for (String name : names) {
      assertThatThrownBy(() -> Storage.localPath(name))
          .as(name)
          .isInstanceOf(ConfigException.class);
    }
  }

  @Test
  void listedNamesOfAFileUriCanBeOpened(@TempDir Path folder) throws IOException {
    List<String> names = List.of("100%.txt", "b:c.txt", "sp ace.txt", "ä#?.txt");
    for (String name : names) {
      Files.writeString(folder.resolve(name), name);
    }
    Storage storage = new LocalStorage();
    List<String> found = new ArrayList<>();
    for (StoredFile file : storage.list(folder.toUri().toString())) {
      try (InputStream in = storage.open(file.uri())) {
        found.add(new String(in.readAllBytes(), StandardCharsets.UTF_8));
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void filesInHiddenFoldersAreSkipped() {
    assertThat(Storage.isShown("a/b.txt")).isTrue();
    assertThat(Storage.isShown("a_b/c.d_.txt")).isTrue();
    assertThat(Storage.isShown(".a/b.txt")).isFalse();
    assertThat(Storage.isShown("a/_temporary/b.txt")).isFalse();
  }
}
