package org.lengthwise.result;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float4Vector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.complex.FixedSizeListVector;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.error.DataFormatException;

/**
 * An Arrow IPC file of the gradient norms of one curve of {@code receptive-fields.jsonl}. The
 * curve, its band and all effective receptive fields can be recomputed from the file.
 *
 * <p>Format: two columns without nulls, {@code target} int64 (token offset in the split, or index
 * of a string) and {@code norms} fixed_size_list&lt;float32&gt;[T] (||g_n|| from the earliest
 * position to the most recent), one row for each sample, in record batches of at most 4 MB or one
 * row: 4 T N bytes for N samples. Schema metadata: {@code format_version}, {@code run}, {@code
 * seed}, {@code step}, {@code length}, {@code weights} ({@code trained} or {@code untrained}).
 */
public final class GradientNormsFile {
  private static final String VERSION = "1";
  private static final String TARGET = "target";
  private static final String NORMS = "norms";
  private static final int FLOATS_PER_BATCH = 1 << 20;

  /** Arrow keeps a small multiple of a batch in memory. */
  private static final long ALLOCATOR_LIMIT = 1L << 30;

  private GradientNormsFile() {}

  /** {@return the name of a file in its folder, different for each checkpoint, state and length} */
  public static String nameFor(EvaluatedCheckpoint subject, ModelState state, int length) {
    return "gradients-%s-seed%s-step%s-%s-%s.arrow"
        .formatted(subject.run(), subject.seed(), subject.step(), length, state.label());
  }

  /** Writes gradients into a folder, atomically. */
  public static void write(
      Path folder, EvaluatedCheckpoint subject, ModelState state, GradientNorms norms)
      throws IOException {
    AtomicFile.write(
        folder.resolve(nameFor(subject, state, norms.length())),
        out -> write(out, schema(subject, state, norms.length()), norms));
  }

  private static void write(OutputStream out, Schema schema, GradientNorms norms)
      throws IOException {
    int rows = Math.max(1, FLOATS_PER_BATCH / norms.length());
    try (BufferAllocator allocator = new RootAllocator(ALLOCATOR_LIMIT);
        VectorSchemaRoot root = VectorSchemaRoot.create(schema, allocator);
        ArrowFileWriter writer = new ArrowFileWriter(root, null, Channels.newChannel(out))) {
      for (int first = 0; first < norms.count(); first += rows) {
        fill(root, norms, first, Math.min(rows, norms.count() - first));
        writer.writeBatch();
      }
    }
  }

  private static Schema schema(EvaluatedCheckpoint subject, ModelState state, int length) {
    Field norm =
        new Field(
            "norm",
            FieldType.notNullable(new ArrowType.FloatingPoint(FloatingPointPrecision.SINGLE)),
            List.of());
    return new Schema(
        List.of(
            new Field(TARGET, FieldType.notNullable(new ArrowType.Int(64, true)), List.of()),
            new Field(
                NORMS, FieldType.notNullable(new ArrowType.FixedSizeList(length)), List.of(norm))),
        // Sorted, so that equal gradients give equal bytes.
        new TreeMap<>(
            Map.of(
                "format_version", VERSION,
                "run", subject.run(),
                "seed", Long.toString(subject.seed()),
                "step", Long.toString(subject.step()),
                "length", Integer.toString(length),
                "weights", state.label())));
  }

  private static void fill(VectorSchemaRoot root, GradientNorms norms, int first, int rows) {
    BigIntVector target = (BigIntVector) root.getVector(TARGET);
    FixedSizeListVector lists = (FixedSizeListVector) root.getVector(NORMS);
    Float4Vector floats = (Float4Vector) lists.getDataVector();
    target.allocateNew(rows);
    lists.allocateNew();
    floats.allocateNew(rows * norms.length());
    for (int row = 0; row < rows; row++) {
      target.set(row, norms.target(first + row));
      lists.setNotNull(row);
      for (int n = 0; n < norms.length(); n++) {
        floats.set(row * norms.length() + n, norms.norm(first + row, n));
      }
    }
    floats.setValueCount(rows * norms.length());
    root.setRowCount(rows);
  }

  /**
   * {@return the gradients of a file, in the written order}
   *
   * @throws DataFormatException if the file has other content
   */
  public static GradientNorms read(Path file) throws IOException {
    try (BufferAllocator allocator = new RootAllocator(ALLOCATOR_LIMIT);
        SeekableByteChannel channel = Files.newByteChannel(file);
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      LongStream.Builder targets = LongStream.builder();
      List<float[]> norms = new ArrayList<>();
      while (reader.loadNextBatch()) {
        BigIntVector target = (BigIntVector) root.getVector(TARGET);
        FixedSizeListVector lists = (FixedSizeListVector) root.getVector(NORMS);
        Float4Vector floats = (Float4Vector) lists.getDataVector();
        for (int row = 0; row < root.getRowCount(); row++) {
          targets.add(target.get(row));
          float[] ofSample = new float[lists.getListSize()];
          for (int n = 0; n < ofSample.length; n++) {
            ofSample[n] = floats.get(row * ofSample.length + n);
          }
          norms.add(ofSample);
        }
      }
      return GradientNorms.of(targets.build().toArray(), norms.toArray(new float[0][]));
    } catch (RuntimeException e) {
      throw new DataFormatException(
          file.toString(),
          "an Arrow file with the columns target and norms",
          String.valueOf(e.getMessage()),
          "measure the receptive field again into a new folder",
          e);
    }
  }
}
