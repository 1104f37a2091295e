package org.lengthwise.dataprep.shard;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lengthwise.dataprep.DataFormatException;
import org.lengthwise.dataprep.config.ConfigLoader;

/**
 * The specification of a shard folder, format version 1.
 *
 * <h2>Folder</h2>
 *
 * <pre>
 * Folder  = Manifest, Shard*, "DONE"
 * Manifest= "manifest.json"                     see {@link Manifest}
 * Shard   = Split "-" Number ".arrow"           "train-00000.arrow"
 * Split   = "train" | "validation" | "test"
 * Number  = 5 decimal digits, from 00000 on without gaps
 * </pre>
 *
 * <p>A split into which no document fell has no shard. The marker {@code DONE} is written last; a
 * folder without it is not a shard folder.
 *
 * <h2>Shard</h2>
 *
 * <p>An Arrow IPC file (magic {@code ARROW1}, metadata version 5, little-endian, neither
 * dictionaries nor compression) of at most {@link ShardLimits#shardBytes()} bytes, itself at most 1
 * GiB. Every row is a document. No column holds nulls.
 *
 * <table>
 * <caption>Columns, in this order</caption>
 * <tr><th>name</th><th>type</th><th>content</th></tr>
 * <tr><td>{@code tokens}</td><td>{@code list<uint16>}; {@code list<int32>} when the vocabulary has more than 65,536
 * ids</td><td>the document's tokens, the last of them end-of-text</td></tr>
 * <tr><td>{@code source}</td><td>{@code utf8}</td><td>the input's URI, with the member's name in an archive</td></tr>
 * <tr><td>{@code record}</td><td>{@code int64}</td><td>the line or record number in the source</td></tr>
 * <tr><td>{@code bytes}</td><td>{@code int64}</td><td>the length of the text in UTF-8 bytes</td></tr>
 * </table>
 *
 * <p>The schema metadata has the one key {@code lengthwise}. Its value is a JSON object without
 * white space, its members in this order (one key, because Arrow keeps no order among several and
 * the same documents shall give the same bytes):
 *
 * <pre>
 * {"format_version": 1,
 *  "split": "train",
 *  "tokenizer": {"name": ..., "sha256": ..., "vocabulary_size": ..., "end_of_text": ...}}
 * </pre>
 *
 * <h2>Batches</h2>
 *
 * <p>A record batch ends before the document that would carry it past {@link
 * ShardLimits#batchTokens()} tokens; a longer document fills a batch of its own. A shard ends
 * before the document with which it could pass its limit. Documents are never divided. Both rules
 * look at nothing but the documents and the limits, so the same documents in the same order give
 * the same bytes.
 *
 * <h2>Stream</h2>
 *
 * <p>The tokens of a split are those of its shards by number, in each of its batches by position in
 * the footer, in each of its rows by index. Within a batch the values buffer of {@code tokens} is
 * that stream without a gap, which is what lets a reader map it and take windows across documents.
 *
 * <h2>Checksums and versions</h2>
 *
 * <p>The manifest holds each shard's size, which is checked when the folder is opened, and SHA-256,
 * which is checked on demand. Readers refuse any other format version: a shard is cheap to make
 * again and expensive to misread.
 */
public final class ShardFormat {
  /** The version that this class specifies. */
  public static final int VERSION = 1;

  static final String METADATA = "lengthwise";
  static final String TOKENS = "tokens";
  static final String SOURCE = "source";
  static final String RECORD = "record";
  static final String BYTES = "bytes";

  private ShardFormat() {}

  static String fileName(Split split, int number) {
    return String.format(Locale.ROOT, "%s-%05d.arrow", split.label(), number);
  }

  static Schema schema(Split split, TokenizerIdentity tokenizer) {
    TokenWidth width = TokenWidth.of(tokenizer.vocabularySize());
    Field token = new Field("item", FieldType.notNullable(width.arrowType()), null);
    ArrowType int64 = new ArrowType.Int(Long.SIZE, true);
    return new Schema(
        List.of(
            new Field(TOKENS, FieldType.notNullable(ArrowType.List.INSTANCE), List.of(token)),
            new Field(SOURCE, FieldType.notNullable(ArrowType.Utf8.INSTANCE), null),
            new Field(RECORD, FieldType.notNullable(int64), null),
            new Field(BYTES, FieldType.notNullable(int64), null)),
        Map.of(METADATA, metadata(split, tokenizer)));
  }

  /** The value of the metadata key, in the order of its members. */
  private record Metadata(int formatVersion, Split split, TokenizerIdentity tokenizer) {}

  private static String metadata(Split split, TokenizerIdentity tokenizer) {
    try {
      return ConfigLoader.strictMapper()
          .writeValueAsString(new Metadata(VERSION, split, tokenizer));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("three plain values cannot fail to become JSON", e);
    }
  }

  /** Refuses a shard whose schema is not the one that the manifest calls for. */
  static void requireSchema(String where, Schema found, Schema expected) {
    String expectedMetadata = String.valueOf(expected.getCustomMetadata().get(METADATA));
    String metadata = found.getCustomMetadata().getOrDefault(METADATA, "none");
    if (!metadata.equals(expectedMetadata)) {
      throw new DataFormatException(
          where,
          "the schema metadata " + expectedMetadata,
          metadata,
          "keep each folder's shards and manifest together, or prepare it again");
    }
    if (!found.getFields().equals(expected.getFields())) {
      throw new DataFormatException(
          where,
          "the columns " + expected.getFields(),
          found.getFields().toString(),
          "prepare the folder again");
    }
  }
}
