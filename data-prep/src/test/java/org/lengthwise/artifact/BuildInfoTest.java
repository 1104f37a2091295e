package org.lengthwise.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildInfoTest {

  @Test
  void theManifestOfAJarNamesTheBuild(@TempDir Path scratch) throws IOException {
    Path jar = scratch.resolve("lengthwise.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Implementation-Version", "1.2.3");
    manifest.getMainAttributes().putValue("Git-Commit", "abc");
    manifest.getMainAttributes().putValue("Git-Dirty", "true");
    new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    assertThat(BuildInfo.of(jar)).isEqualTo(new BuildInfo("1.2.3", "abc", true));
  }

  @Test
  void classesInAFolderAreAnUnknownBuild(@TempDir Path scratch) {
    assertThat(BuildInfo.of(scratch)).isEqualTo(new BuildInfo("unknown", "unknown", false));
  }
}
