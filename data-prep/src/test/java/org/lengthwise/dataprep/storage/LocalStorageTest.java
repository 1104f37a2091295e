package org.lengthwise.dataprep.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

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
    assertThat(LocalStorage.path("file:///a%20b/c").toString()).isEqualTo("/a b/c");
  }

  @Test
  void hiddenPartsHideWhatIsBelowThem() {
    assertThat(Storage.isShown("a/b.txt")).isTrue();
    assertThat(Storage.isShown("a_b/c.d_.txt")).isTrue();
    assertThat(Storage.isShown(".a/b.txt")).isFalse();
    assertThat(Storage.isShown("a/_temporary/b.txt")).isFalse();
  }
}
