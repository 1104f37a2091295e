package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** The reason why a unit was not prepared. A task stores it for the driver. */
record UnitFailure(boolean badData, String message) {

  static UnitFailure of(RuntimeException exception) {
    return new UnitFailure(
        exception instanceof DataFormatException, String.valueOf(exception.getMessage()));
  }

  /**
   * Writes the failure by a rename, so the file is complete. All attempts of a unit write the same
   * content.
   */
  void write(FileSystem fileSystem, Path folder, WorkUnit unit, String attempt) throws IOException {
    Path temporary = new Path(folder.getParent(), "." + attempt + ".failure");
    JsonFile.write(fileSystem, temporary, this);
    fileSystem.mkdirs(folder);
    if (!fileSystem.rename(temporary, new Path(folder, WorkUnit.fileName(unit.number())))) {
      fileSystem.delete(temporary, false); // another attempt has written it
    }
  }

  static Optional<UnitFailure> first(FileSystem fileSystem, Path folder) throws IOException {
    if (!fileSystem.exists(folder)) {
      return Optional.empty();
    }
    Optional<FileStatus> first =
        Arrays.stream(fileSystem.listStatus(folder))
            .min(Comparator.comparing(file -> file.getPath().getName()));
    return first.isEmpty()
        ? Optional.empty()
        : Optional.of(JsonFile.read(fileSystem, first.get().getPath(), UnitFailure.class));
  }

  RuntimeException toException() {
    return badData
        ? DataFormatException.asDescribed(message)
        : ConfigException.asDescribed(message);
  }
}
