package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.lengthwise.dataprep.ConfigException;
import org.lengthwise.dataprep.DataFormatException;

/**
 * Why a unit cannot be prepared: however often it is tried, or as far as one attempt could see.
 *
 * @param badData whether the data is at fault; otherwise the configuration is
 * @param message the message of the exception
 */
record UnitFailure(boolean badData, String message) {

  static UnitFailure of(RuntimeException exception) {
    return new UnitFailure(
        exception instanceof DataFormatException, String.valueOf(exception.getMessage()));
  }

  /** Notes it, at once and whole; two attempts of one unit note the same. */
  void write(FileSystem fileSystem, Path folder, WorkUnit unit, String attempt) throws IOException {
    Path temporary = new Path(folder.getParent(), "." + attempt + ".failure");
    JsonFile.write(fileSystem, temporary, this);
    fileSystem.mkdirs(folder);
    if (!fileSystem.rename(temporary, new Path(folder, WorkUnit.fileName(unit.number())))) {
      fileSystem.delete(temporary, false); // another attempt was faster
    }
  }

  /** The failure of the first unit that noted one in a folder. */
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
