package org.lengthwise.dataprep.source;

import java.io.BufferedOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.lengthwise.artifact.ArtifactFolder;
import org.lengthwise.config.Checks;
import org.lengthwise.config.InvalidValueException;
import org.lengthwise.dataprep.shard.ShardFolder;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.SplitEntry;
import org.lengthwise.dataprep.shard.TokenStream;
import org.lengthwise.dataprep.source.TokenFiles.Format;
import org.lengthwise.error.ConfigException;

/**
 * Writes the splits of a shard folder as token files, which {@code prepare --tokens} reads back.
 * Each document ends with end-of-text, and is one sequence of Megatron's index. A split without
 * documents has no file.
 */
public final class TokenExport {

  private static final int WINDOW = 1 << 16;
  private static final int NARROW_IDS = 1 << 16;

  private final ShardFolder shards;
  private final Format format;
  private final IdType type;

  public static List<String> formats() {
    return List.of(Format.NANOGPT.label(), Format.MEGATRON.label());
  }

  private TokenExport(ShardFolder shards, Format format) {
    this.shards = shards;
    this.format = format;
    int vocabularySize = shards.manifest().tokenizer().vocabularySize();
    type = vocabularySize <= NARROW_IDS ? IdType.UINT16 : IdType.INT32;
    if (format == Format.NANOGPT && type != IdType.UINT16) {
      throw new ConfigException(
          "--format nanogpt",
          "ids of two bytes, so at most 65,536 of them",
          "a vocabulary of %s ids".formatted(vocabularySize),
          "use --format megatron");
    }
  }

  /** Writes all splits. The folder appears complete or not at all. */
  public static void write(ShardFolder shards, String format, Path output) throws IOException {
    try {
      Checks.oneOf("format", format, formats());
    } catch (InvalidValueException e) {
      throw e.ofOption();
    }
    boolean isMegatron = format.equals(Format.MEGATRON.label());
    TokenExport export = new TokenExport(shards, isMegatron ? Format.MEGATRON : Format.NANOGPT);
    ArtifactFolder.create(
        output,
        folder -> {
          for (Split split : Split.values()) {
            SplitEntry entry = shards.manifest().split(split);
            if (entry.documents() > 0) {
              export.writeIds(split, folder.resolve(export.name(split) + ".bin"));
              if (isMegatron) {
                export.writeIndex(split, entry, folder.resolve(export.name(split) + ".idx"));
              }
            }
          }
        });
  }

  /** The name without an extension; nanoGPT looks for train and val. */
  private String name(Split split) {
    return format == Format.NANOGPT && split == Split.VALIDATION ? "val" : split.label();
  }

  private void writeIds(Split split, Path file) throws IOException {
    TokenStream tokens = shards.tokens(split);
    int[] window = new int[WINDOW];
    try (Numbers out = new Numbers(file)) {
      for (long offset = 0; offset < tokens.numTokens(); offset += WINDOW) {
        int count = (int) Math.min(WINDOW, tokens.numTokens() - offset);
        tokens.read(offset, window, 0, count);
        for (int i = 0; i < count; i++) {
          out.write(window[i], type.bytes());
        }
      }
    }
  }

  private void writeIndex(Split split, SplitEntry entry, Path file) throws IOException {
    try (Numbers out = new Numbers(file)) {
      for (byte magic : MegatronIndex.MAGIC) {
        out.write(magic, Byte.BYTES);
      }
      out.write(MegatronIndex.VERSION, Long.BYTES);
      out.write(type.code(), Byte.BYTES);
      out.write(entry.documents(), Long.BYTES);
      out.write(entry.documents() + 1, Long.BYTES);
      shards.visitLengths(split, (numTokens, numBytes) -> out.write(numTokens, Integer.BYTES));
      long[] offset = {0};
      shards.visitLengths(
          split,
          (numTokens, numBytes) -> {
            out.write(offset[0], Long.BYTES);
            offset[0] += (long) numTokens * type.bytes();
          });
      for (long document = 0; document <= entry.documents(); document++) {
        out.write(document, Long.BYTES);
      }
    }
  }

  private static final class Numbers implements Closeable {

    private final OutputStream out;
    private final ByteBuffer number =
        ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);

    Numbers(Path file) throws IOException {
      out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16);
    }

    /** Writes the lowest bytes of a value. */
    void write(long value, int numBytes) {
      number.putLong(0, value);
      try {
        out.write(number.array(), 0, numBytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}
