package org.lengthwise.training.interchange;

import java.io.IOException;
import java.nio.FloatBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;
import org.lengthwise.training.safetensors.FileNumbers;
import org.lengthwise.training.safetensors.SafetensorsFile;
import org.lengthwise.training.safetensors.StoredNumbers;

/** The tensors of a model in one or more files. */
final class TensorFiles implements AutoCloseable {
  /** The tensors that a message names. */
  private static final int MOST_FAULTS = 10;

  /** The numbers of two tensors that are compared at a time. */
  private static final int COMPARED = 1 << 16;

  private record Found(SafetensorsFile file, String stored, SafetensorsFile.Entry entry) {}

  private final List<SafetensorsFile> files = new ArrayList<>();
  private final Map<String, Found> tensors = new LinkedHashMap<>();

  /** Stored names of tensors that modules share, by their removed names; other metadata, too. */
  private final Map<String, String> aliases = new HashMap<>();

  private TensorFiles() {}

  /** Opens files; the function maps a stored name to the full name. */
  static TensorFiles open(ModelFiles model, UnaryOperator<String> naming) throws IOException {
    TensorFiles all = new TensorFiles();
    boolean complete = false;
    try {
      for (Path path : model.weights()) {
        SafetensorsFile file = SafetensorsFile.open(path);
        all.files.add(file);
        all.add(file, naming);
        file.metadata()
            .forEach((name, kept) -> all.aliases.put(naming.apply(name), naming.apply(kept)));
      }
      all.requireIndexed(model);
      complete = true;
      return all;
    } finally {
      if (!complete) {
        all.close();
      }
    }
  }

  private void add(SafetensorsFile file, UnaryOperator<String> naming) {
    file.tensors()
        .forEach(
            (stored, entry) -> {
              Found earlier = tensors.put(naming.apply(stored), new Found(file, stored, entry));
              if (earlier != null) {
                throw new DataFormatException(
                    file.path().toString(),
                    "each tensor once",
                    "%s, which is also in %s".formatted(stored, earlier.file().path()),
                    "name the files of one checkpoint only");
              }
            });
  }

  private void requireIndexed(ModelFiles model) {
    for (SafetensorsFile file : files) {
      model.index().entrySet().stream()
          .filter(entry -> entry.getValue().equals(file.path()))
          .map(Map.Entry::getKey)
          .filter(tensor -> !file.tensors().containsKey(tensor))
          .filter(tensor -> !file.metadata().containsKey(tensor)) // an alias
          .findFirst()
          .ifPresent(
              tensor -> {
                throw new DataFormatException(
                    file.path().toString(),
                    "the tensor %s, as the index of the files says".formatted(tensor),
                    "none",
                    "download all files again");
              });
    }
  }

  Map<String, String> metadata() {
    return files.get(0).metadata();
  }

  boolean has(String name) {
    return tensors.containsKey(name);
  }

  /**
   * Requires certain tensors, with these axes and in a format that is read, and no others but
   * ignored ones.
   */
  void require(Map<String, List<Integer>> shapes, Predicate<String> ignored) {
    List<String> faults = new ArrayList<>();
    shapes.forEach(
        (name, shape) -> {
          Found found = shared(name);
          if (found == null) {
            String kept = aliases.get(name);
            String alias = kept == null ? "" : ", as is its alias " + kept;
            faults.add(name + " of " + shape + " is missing" + alias);
          } else if (!found.entry().shape().equals(shape)) {
            faults.add(name + " is of " + found.entry().shape() + ", not of " + shape);
          } else if (!found.entry().isReadable()) {
            faults.add(name + " is in " + found.entry().dtype() + ", not in F32, F16 or BF16");
          }
        });
    tensors.forEach(
        (name, found) -> {
          if (!shapes.containsKey(name) && !ignored.test(name)) {
            faults.add(found.stored() + " is no tensor of this model");
          }
        });
    if (!faults.isEmpty()) {
      String named = faults.stream().limit(MOST_FAULTS).collect(Collectors.joining("; "));
      int more = faults.size() - MOST_FAULTS;
      throw new ConfigException(
          files.get(0).path().toString(),
          "the tensors of the model that config.json describes",
          "other ones: " + (more > 0 ? named + "; and " + more + " more" : named),
          "use a complete checkpoint with its own config.json");
    }
  }

  /** A tensor by its name or an alias, from now on under this name; null if there is none. */
  private @Nullable Found shared(String name) {
    String kept = name;
    for (int i = 0; i < aliases.size() && kept != null && !tensors.containsKey(kept); i++) {
      kept = aliases.get(kept);
    }
    Found found = tensors.get(kept);
    if (found != null) {
      tensors.put(name, found);
    }
    return found;
  }

  float[] floats(String name) throws IOException {
    return numbers(name).floats().array();
  }

  /** Whether two tensors have equal numbers. Some at a time are in memory. */
  boolean areEqual(String one, String other) throws IOException {
    StoredNumbers left = numbers(one);
    StoredNumbers right = numbers(other);
    FloatBuffer some = FloatBuffer.allocate(Math.min(left.size(), COMPARED));
    FloatBuffer same = FloatBuffer.allocate(some.capacity());
    boolean areEqual = left.size() == right.size();
    for (int read = 0; areEqual && read < left.size(); read += some.limit()) {
      int count = Math.min(COMPARED, left.size() - read);
      left.next(some.clear().limit(count));
      right.next(same.clear().limit(count));
      areEqual = some.flip().equals(same.flip());
    }
    return areEqual;
  }

  private FileNumbers numbers(String name) {
    int size = Math.toIntExact(found(name).entry().size());
    return new FileNumbers(List.of(part(new StoredTensor.Rows(name, 0, size), 1)), true);
  }

  FileNumbers.Part part(StoredTensor.Rows rows, int columns) {
    Found found = found(rows.part());
    return new FileNumbers.Part(
        found.file(), found.stored(), rows.first() * columns, rows.rows() * columns);
  }

  private Found found(String name) {
    Found found = tensors.get(name);
    if (found == null) {
      throw new IllegalArgumentException("no tensor " + name);
    }
    return found;
  }

  @Override
  public void close() throws IOException {
    for (SafetensorsFile file : files) {
      file.close();
    }
  }
}
