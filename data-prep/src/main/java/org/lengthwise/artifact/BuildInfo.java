package org.lengthwise.artifact;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;

/**
 * The build that wrote an artifact; each artifact stores it.
 *
 * @param version the release, or "unknown" if the classes are not in a jar
 * @param commit the Git commit that was built, or "unknown"
 * @param dirty whether the work tree held changes that the commit does not
 */
public record BuildInfo(String version, String commit, boolean dirty) {
  private static final String UNKNOWN = "unknown";

  public BuildInfo {
    Objects.requireNonNull(version, "version");
    Objects.requireNonNull(commit, "commit");
  }

  /**
   * {@return the running build, read from the manifest of its jar; both names are "unknown" if the
   * classes are in a folder}
   */
  public static BuildInfo current() {
    CodeSource source = BuildInfo.class.getProtectionDomain().getCodeSource();
    if (source == null) {
      return new BuildInfo(UNKNOWN, UNKNOWN, false);
    }
    try {
      return of(Path.of(source.getLocation().toURI()));
    } catch (URISyntaxException e) {
      return new BuildInfo(UNKNOWN, UNKNOWN, false);
    }
  }

  @Override
  public String toString() {
    return "lengthwise %s, commit %s, %s"
        .formatted(version, commit, dirty ? "with uncommitted changes" : "clean");
  }

  static BuildInfo of(Path codeSource) {
    if (!Files.isRegularFile(codeSource)) {
      return new BuildInfo(UNKNOWN, UNKNOWN, false);
    }
    try (JarFile jar = new JarFile(codeSource.toFile())) {
      Manifest manifest = jar.getManifest();
      return manifest == null
          ? new BuildInfo(UNKNOWN, UNKNOWN, false)
          : of(manifest.getMainAttributes());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the manifest of " + codeSource, e);
    }
  }

  private static BuildInfo of(Attributes attributes) {
    return new BuildInfo(
        Objects.requireNonNullElse(attributes.getValue("Implementation-Version"), UNKNOWN),
        Objects.requireNonNullElse(attributes.getValue("Git-Commit"), UNKNOWN),
        Boolean.parseBoolean(attributes.getValue("Git-Dirty")));
  }
}
