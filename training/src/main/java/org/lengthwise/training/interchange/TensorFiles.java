package org.lengthwise.training.interchange;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.training.safetensors.SafetensorsFile;
import org.lengthwise.training.safetensors.TensorEntry;

/** The tensors of a model that may be spread over several files. */
final class TensorFiles implements AutoCloseable {
  private record Place(SafetensorsFile file, String stored) {}

  private final List<SafetensorsFile> files = new ArrayList<>();
  private final Map<String, Place> places = new LinkedHashMap<>();

  private TensorFiles() {}

  /**
   * Opens files.
   *
   * @param paths the files
   * @param naming what a stored name is called from now on
   * @throws DataFormatException if a tensor stands twice
   */
  static TensorFiles open(List<Path> paths, UnaryOperator<String> naming) throws IOException {
    TensorFiles all = new TensorFiles();
    boolean complete = false;
    try {
      for (Path path : paths) {
        SafetensorsFile file = SafetensorsFile.open(path);
        all.files.add(file);
        all.add(file, naming);
      }
      complete = true;
      return all;
    } finally {
      if (!complete) {
        all.close();
      }
    }
  }

  private void add(SafetensorsFile file, UnaryOperator<String> naming) {
    for (String stored : file.tensors().keySet()) {
      Place earlier = places.put(naming.apply(stored), new Place(file, stored));
      if (earlier != null) {
        throw new DataFormatException(
            file.path().toString(),
            "each tensor once",
            "%s, which %s has as well".formatted(stored, earlier.file().path()),
            "name the files of one checkpoint only");
      }
    }
  }

  Map<String, String> metadata() {
    return files.get(0).metadata();
  }

  boolean has(String name) {
    return places.containsKey(name);
  }

  /**
   * Checks that a tensor is there and has certain axes.
   *
   * @throws DataFormatException if not
   */
  void require(String name, List<Integer> shape) {
    Place place = places.get(name);
    TensorEntry entry = place == null ? null : place.file().tensors().get(place.stored());
    if (place == null || entry == null || !entry.shape().equals(shape)) {
      throw new DataFormatException(
          (place == null ? files.get(0) : place.file()).path().toString(),
          "a tensor %s of %s".formatted(name, shape),
          entry == null ? "none" : entry.shape().toString(),
          "use a complete checkpoint, with the description that belongs to it");
    }
  }

  /**
   * Checks that there is nothing but certain tensors.
   *
   * @throws DataFormatException if there is
   */
  void requireOnly(Predicate<String> known) {
    places.forEach(
        (name, place) -> {
          if (!known.test(name)) {
            throw new DataFormatException(
                place.file().path().toString(),
                "the tensors of the model alone",
                place.stored(),
                "use a checkpoint of such a model, without anything added to it");
          }
        });
  }

  float[] floats(String name) throws IOException {
    Place place = places.get(name);
    if (place == null) {
      throw new IllegalArgumentException("no tensor " + name);
    }
    return place.file().floats(place.stored());
  }

  @Override
  public void close() throws IOException {
    for (SafetensorsFile file : files) {
      file.close();
    }
  }
}
