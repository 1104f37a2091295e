package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.lengthwise.dataprep.ConfigException;

/** The folder beside the output in which a job works; see the package's description. */
record JobWorkspace(Path root) {

  static JobWorkspace of(Path output) {
    return new JobWorkspace(new Path(output.getParent(), "." + output.getName() + ".mapreduce"));
  }

  /** Makes it, for this driver alone. */
  void claim(Configuration configuration) throws IOException {
    try {
      fileSystem(configuration).create(new Path(root, "claim"), false).close();
    } catch (FileAlreadyExistsException e) {
      throw new ConfigException(
          root.toString(),
          "a workspace that nobody else uses",
          "one that is claimed: another run is at work, or one was killed and left it",
          "wait for that run's job to end; if there is none, remove the workspace",
          e);
    }
  }

  void delete(Configuration configuration) throws IOException {
    fileSystem(configuration).delete(root, true);
  }

  FileSystem fileSystem(Configuration configuration) throws IOException {
    return root.getFileSystem(configuration);
  }

  Path plan() {
    return new Path(root, "plan.jsonl");
  }

  Path tokenizer(String name) {
    return new Path(new Path(root, "tokenizer"), name);
  }

  Path units() {
    return new Path(root, "units");
  }

  Path unit(WorkUnit unit) {
    return new Path(units(), WorkUnit.fileName(unit.number()));
  }

  Path positions() {
    return new Path(root, "repeats/positions");
  }

  Path repeats() {
    return new Path(root, "repeats/units");
  }

  Path repeats(WorkUnit unit) {
    return new Path(repeats(), WorkUnit.fileName(unit.number()));
  }

  /** What no attempt can mend. */
  Path failures() {
    return new Path(root, "failures");
  }

  /** What an attempt could not read, and another may. */
  Path unreadable() {
    return new Path(root, "unreadable");
  }

  Path folder() {
    return new Path(root, "folder");
  }
}
