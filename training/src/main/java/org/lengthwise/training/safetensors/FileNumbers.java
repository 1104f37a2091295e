package org.lengthwise.training.safetensors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.FloatBuffer;
import java.util.List;
import org.lengthwise.error.DataFormatException;

/** The numbers of some parts of files, one part after the other. */
public final class FileNumbers implements StoredNumbers {
  private static final int BUFFER = 1 << 16;

  private final List<Part> parts;
  private final boolean mustBeFinite;
  private final int size;
  private final ByteBuffer bytes =
      ByteBuffer.allocateDirect(BUFFER).order(ByteOrder.LITTLE_ENDIAN).limit(0);
  private final float[] floats = new float[BUFFER / Short.BYTES];
  private int part;
  private int read;

  /** Adjacent numbers of a tensor in a file, from an index on. */
  public record Part(SafetensorsFile file, String tensor, int first, int size) {}

  /**
   * The numbers of parts of open files. If they must be finite, an infinite number or NaN is an
   * error.
   */
  public FileNumbers(List<Part> parts, boolean mustBeFinite) {
    this.parts = List.copyOf(parts);
    this.mustBeFinite = mustBeFinite;
    this.size = parts.stream().mapToInt(Part::size).reduce(0, Math::addExact);
  }

  /** The format of all parts, or float32 if their formats differ. */
  @Override
  public FloatFormat format() {
    List<FloatFormat> formats =
        parts.stream().map(one -> one.file().format(one.tensor())).distinct().toList();
    return formats.size() == 1 ? formats.get(0) : FloatFormat.F32;
  }

  @Override
  public int size() {
    return size;
  }

  @Override
  public void next(FloatBuffer target) throws IOException {
    while (target.hasRemaining()) {
      Part from = parts.get(part);
      if (!bytes.hasRemaining()) {
        if (read == from.size()) {
          part++;
          read = 0;
          continue;
        }
        FloatFormat format = from.file().format(from.tensor());
        int count = Math.min(BUFFER / format.bytes(), from.size() - read);
        bytes.clear().limit(count * format.bytes());
        from.file().read(from.tensor(), from.first() + read, bytes);
        read += count;
      }
      FloatFormat format = from.file().format(from.tensor());
      int count = Math.min(target.remaining(), bytes.remaining() / format.bytes());
      format.floats(bytes, floats, count);
      if (mustBeFinite) {
        requireFinite(from, count);
      }
      target.put(floats, 0, count);
      bytes.position(bytes.position() + count * format.bytes());
    }
  }

  private void requireFinite(Part from, int count) {
    int largest = 0;
    for (int i = 0; i < count; i++) {
      largest = Math.max(largest, Float.floatToRawIntBits(floats[i]) & Integer.MAX_VALUE);
    }
    if (!Float.isFinite(Float.intBitsToFloat(largest))) {
      throw new DataFormatException(
          from.file().path().toString(),
          "finite numbers in " + from.tensor(),
          firstOf(count),
          "use a checkpoint before the training diverged, or download the file again");
    }
  }

  private String firstOf(int count) {
    int i = 0;
    while (i < count - 1 && Float.isFinite(floats[i])) {
      i++;
    }
    return String.valueOf(floats[i]);
  }
}
