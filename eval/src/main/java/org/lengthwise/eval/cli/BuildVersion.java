package org.lengthwise.eval.cli;

import org.lengthwise.dataprep.BuildInfo;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints: the release, the commit, and whether the work tree was clean. */
final class BuildVersion implements IVersionProvider {
  @Override
  public String[] getVersion() {
    BuildInfo build = BuildInfo.current();
    return new String[] {
      "lengthwise " + build.version(),
      "commit " + build.commit() + (build.dirty() ? " with uncommitted changes" : ""),
      "java " + Runtime.version()
    };
  }
}
