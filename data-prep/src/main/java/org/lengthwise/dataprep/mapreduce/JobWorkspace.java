package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.lengthwise.error.ConfigException;

/**
 * The folder next to the output in which the jobs work. The package description lists its files.
 */
record JobWorkspace(Path root) {

  static JobWorkspace of(Path output) {
    return new JobWorkspace(new Path(output.getParent(), "." + output.getName() + ".mapreduce"));
  }

  void claim(Configuration configuration) throws IOException {
    try {
      fileSystem(configuration).create(new Path(root, "claim"), false).close();
    } catch (FileAlreadyExistsException e) {
      throw new ConfigException(
          root.toString(),
          "a workspace that no other run uses",
          "a claimed workspace: another run uses it, or it belongs to a killed run",
          "wait until the other run's job has ended; if there is no job, remove the workspace",
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
    return new Path(root, "duplicates/positions");
  }

  Path duplicates() {
    return new Path(root, "duplicates/units");
  }

  Path duplicates(WorkUnit unit) {
    return new Path(duplicates(), WorkUnit.fileName(unit.number()));
  }

  /** Failures that no further attempt can correct. */
  Path failures() {
    return new Path(root, "failures");
  }

  /** Failures to read, after which another attempt may succeed. */
  Path unreadable() {
    return new Path(root, "unreadable");
  }

  Path folder() {
    return new Path(root, "folder");
  }
}
