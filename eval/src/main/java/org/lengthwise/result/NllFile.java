package org.lengthwise.result;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.Float8Vector;
import org.apache.arrow.vector.IntVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.ipc.ArrowFileReader;
import org.apache.arrow.vector.ipc.ArrowFileWriter;
import org.apache.arrow.vector.types.FloatingPointPrecision;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lengthwise.artifact.AtomicFile;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;
import org.lengthwise.error.DataFormatException;

/**
 * An Arrow IPC file of the individual negative log-likelihoods of one line of {@code
 * results.jsonl}. All sums can be recomputed from the file.
 *
 * <p>Format: three columns without nulls, {@code target} int64 (token offset in the split), {@code
 * position} int32 (tokens of its window before it) and {@code nll} float64 (nats), record batches
 * of at most {@value #ROWS_PER_BATCH} rows, in the order of {@link ScoredTargets}. Schema metadata:
 * {@code format_version}, {@code run}, {@code seed}, {@code step}, {@code protocol}, {@code
 * length}, {@code targets_sha256}.
 */
public record NllFile(String run, Protocol protocol, int length, ScoredTargets scored) {
  private static final String TARGET = "target";
  private static final String POSITION = "position";
  private static final String NLL = "nll";
  private static final int ROWS_PER_BATCH = 1 << 16;

  /** Arrow keeps a small multiple of a batch in memory, far below this limit. */
  private static final long ALLOCATOR_LIMIT = 1L << 28;

  /** {@return the name of a file in its folder, different for each result of the folder} */
  public static String nameFor(EvaluationResult result) {
    return "nll-%s-seed%s-step%s-%s-%s.arrow"
        .formatted(
            result.run(),
            result.seed(),
            result.subject().step(),
            result.protocol().label(),
            result.length());
  }

  /**
   * Writes the rows of a result into its folder, atomically.
   *
   * @throws IllegalArgumentException if the sums of the rows differ from those of the result
   */
  public static void write(Path folder, EvaluationResult result, ScoredTargets scored)
      throws IOException {
    Checks.require(
        scored.targetsSha256().equals(result.targetsSha256())
            && scored.nllSum() == result.sums().sum(),
        "nll",
        "the rows of the result",
        "other rows");
    try (BufferAllocator allocator = new RootAllocator(ALLOCATOR_LIMIT);
        VectorSchemaRoot root = VectorSchemaRoot.create(schema(result), allocator)) {
      AtomicFile.write(
          folder.resolve(nameFor(result)),
          out -> {
            try (ArrowFileWriter writer =
                new ArrowFileWriter(root, null, Channels.newChannel(out))) {
              for (int first = 0; first < scored.count(); first += ROWS_PER_BATCH) {
                fill(root, scored, first, Math.min(ROWS_PER_BATCH, scored.count() - first));
                writer.writeBatch();
              }
            }
          });
    }
  }

  private static Schema schema(EvaluationResult result) {
    ArrowType nll = new ArrowType.FloatingPoint(FloatingPointPrecision.DOUBLE);
    return new Schema(
        List.of(
            new Field(TARGET, FieldType.notNullable(new ArrowType.Int(64, true)), List.of()),
            new Field(POSITION, FieldType.notNullable(new ArrowType.Int(32, true)), List.of()),
            new Field(NLL, FieldType.notNullable(nll), List.of())),
        // Sorted, so that equal results give equal bytes.
        new TreeMap<>(
            Map.of(
                "format_version", Integer.toString(result.formatVersion()),
                "run", result.run(),
                "seed", Long.toString(result.seed()),
                "step", Long.toString(result.subject().step()),
                "protocol", result.protocol().label(),
                "length", Integer.toString(result.length()),
                "targets_sha256", result.targetsSha256())));
  }

  private static void fill(VectorSchemaRoot root, ScoredTargets scored, int first, int count) {
    BigIntVector targets = (BigIntVector) root.getVector(TARGET);
    IntVector positions = (IntVector) root.getVector(POSITION);
    Float8Vector nlls = (Float8Vector) root.getVector(NLL);
    targets.allocateNew(count);
    positions.allocateNew(count);
    nlls.allocateNew(count);
    for (int row = 0; row < count; row++) {
      targets.set(row, scored.target(first + row));
      positions.set(row, scored.position(first + row));
      nlls.set(row, scored.nll(first + row));
    }
    root.setRowCount(count);
  }

  /**
   * {@return the rows of a file with their run, protocol and length}
   *
   * @throws DataFormatException if the file has other content
   */
  public static NllFile read(Path file) throws IOException {
    try (BufferAllocator allocator = new RootAllocator(ALLOCATOR_LIMIT);
        SeekableByteChannel channel = Files.newByteChannel(file);
        ArrowFileReader reader = new ArrowFileReader(channel, allocator)) {
      VectorSchemaRoot root = reader.getVectorSchemaRoot();
      Map<String, String> metadata = root.getSchema().getCustomMetadata();
      LongStream.Builder targets = LongStream.builder();
      IntStream.Builder positions = IntStream.builder();
      DoubleStream.Builder nlls = DoubleStream.builder();
      while (reader.loadNextBatch()) {
        BigIntVector target = (BigIntVector) root.getVector(TARGET);
        IntVector position = (IntVector) root.getVector(POSITION);
        Float8Vector nll = (Float8Vector) root.getVector(NLL);
        for (int row = 0; row < root.getRowCount(); row++) {
          targets.add(target.get(row));
          positions.add(position.get(row));
          nlls.add(nll.get(row));
        }
      }
      return new NllFile(
          value(metadata, "run"),
          EnumName.constant(Protocol.class, value(metadata, "protocol")),
          Integer.parseInt(value(metadata, "length")),
          ScoredTargets.of(
              targets.build().toArray(), positions.build().toArray(), nlls.build().toArray()));
    } catch (RuntimeException e) {
      throw new DataFormatException(
          file.toString(),
          "an Arrow file with the columns target, position and nll",
          String.valueOf(e.getMessage()),
          "evaluate the checkpoint again",
          e);
    }
  }

  private static String value(Map<String, String> metadata, String key) {
    String value = metadata.get(key);
    if (value == null) {
      throw new IllegalArgumentException("schema metadata lacks " + key);
    }
    return value;
  }
}
