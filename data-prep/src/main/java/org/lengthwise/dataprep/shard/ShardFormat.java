package org.lengthwise.dataprep.shard;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.arrow.vector.types.pojo.ArrowType;
import org.apache.arrow.vector.types.pojo.Field;
import org.apache.arrow.vector.types.pojo.FieldType;
import org.apache.arrow.vector.types.pojo.Schema;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.error.DataFormatException;

/**
 * The specification of a shard folder, format version 1.
 *
 * <h2>Folder</h2>
 *
 * <pre>
 * Folder  = Manifest, Shard*, Rejects, "DONE"
 * Manifest= "manifest.json"
 * Rejects = "rejects.jsonl"                     the rejected records
 * Shard   = Split "-" Number ".arrow"           "train-00000.arrow"
 * Split   = "train" | "validation" | "test"
 * Number  = 5 decimal digits, from 00000 on without gaps
 * </pre>
 *
 * <p>A split without documents has no shard. The marker {@code DONE} is written last. A folder
 * without the marker is not complete.
 *
 * <h2>Shard</h2>
 *
 * <p>An Arrow IPC file as the <a
 * href="https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format">Arrow columnar
 * format</a> specifies it: magic {@code ARROW1}, metadata version 5, little-endian, neither
 * dictionaries nor compression. It has at most {@link ShardLimits#shardBytes()} bytes, which is at
 * most 1 GiB. Each row is a document. No column and no list item is null.
 *
 * <table>
 * <caption>Columns, in this order</caption>
 * <tr><th>name</th><th>type</th><th>content</th></tr>
 * <tr><td>{@code tokens}</td><td>{@code list<uint16>}, or {@code list<int32>} if the vocabulary has more than 65,536 ids</td><td>the document's tokens, the last of them end-of-text</td></tr>
 * <tr><td>{@code source}</td><td>{@code utf8}</td><td>the input file's name, independent of the corpus folder; with {@code !} and the entry's name if the file is an archive</td></tr>
 * <tr><td>{@code record}</td><td>{@code int64}</td><td>the line in the source, from 1; 0 if the document is the whole source</td></tr>
 * <tr><td>{@code bytes}</td><td>{@code int64}</td><td>the length of the text in UTF-8 bytes</td></tr>
 * </table>
 *
 * <p>The schema metadata has the single key {@code lengthwise}. Its value is a JSON object without
 * white space, with members in this order (a single key, because Arrow does not keep the order of
 * several keys, and equal documents must give equal bytes):
 *
 * <pre>
 * {"format_version": 1,
 *  "split": "train",
 *  "tokenizer": {"name": ..., "sha256": ..., "vocabulary_size": ..., "end_of_text": ...}}
 * </pre>
 *
 * <p>{@code sha256} identifies the tokenizer: 64 lower-case hexadecimal digits. It is the SHA-256
 * of the tokenizer.json; for {@code gpt2} of the published ranks and the table of character
 * classes; for {@code bytes} of a sentence that defines the mapping. The manifest of the folder has
 * the same object.
 *
 * <h2>Batches</h2>
 *
 * <p>A record batch ends before the document that would exceed {@link ShardLimits#batchTokens()}
 * tokens; a longer document has a batch of its own. A shard ends before the document that could
 * make it exceed its limit. Documents are never split. Both rules depend only on the documents and
 * the limits, so equal documents in the same order give equal bytes.
 *
 * <p>If several tasks share the work, as on a cluster, batches and shards also end where the input
 * of a task ends. Such a folder has the same documents in the same order as a folder of a single
 * task, so its streams are equal, but its files differ.
 *
 * <p>A reader without an Arrow library finds the messages through the file's footer. The body of
 * each message has these little-endian buffers, at the offsets that the message lists, relative to
 * the start of the body:
 *
 * <table>
 * <caption>Buffers of a batch of N rows</caption>
 * <tr><th>number</th><th>content</th></tr>
 * <tr><td>0, 2, 4, 7, 9</td><td>validity of tokens, their items, source, record, bytes: all bits are set; a reader may skip them</td></tr>
 * <tr><td>1</td><td>N + 1 numbers of 32 bits: row i has the tokens from number i up to number i + 1; the
 * first is 0, the last the number of tokens in the batch</td></tr>
 * <tr><td>3</td><td>the tokens, each of 16 bits without sign or of 32 bits</td></tr>
 * <tr><td>5</td><td>N + 1 numbers of 32 bits: row i has the bytes of buffer 6 from number i up to number
 * i + 1</td></tr>
 * <tr><td>6</td><td>the sources in UTF-8</td></tr>
 * <tr><td>8</td><td>N numbers of 64 bits: record</td></tr>
 * <tr><td>10</td><td>N numbers of 64 bits: bytes</td></tr>
 * </table>
 *
 * <p>A buffer may be longer than its content.
 *
 * <h2>Stream</h2>
 *
 * <p>The stream of a split contains the tokens of all its rows. Shards are in the order of their
 * numbers, batches in the order of the footer, and rows in the order of their indices. Inside a
 * batch, the values buffer of {@code tokens} is that stream without gaps, so a reader can map it
 * and read windows across documents.
 *
 * <h2>Manifest</h2>
 *
 * <p>A JSON object in UTF-8 of these members, and no others:
 *
 * <pre>
 * format_version   1
 * tokenizer        {name, sha256, vocabulary_size, end_of_text}
 * inputs           [{uri, bytes, sha256}]            the input files in order
 * settings         {...}                             the resolved configuration of prepare
 * splits           {train, validation, test}, each
 *                  {documents, tokens, shards: [{file, bytes, sha256, documents, tokens}]}
 * rejects          the number of rejected records
 * duplicates       the number of skipped documents whose text occurred before
 * build            {version, commit, dirty}          the software that wrote the folder
 * </pre>
 *
 * <p>Counts of tokens include end-of-text. Shards are in the order of the stream. The {@code bytes}
 * and {@code sha256} of an input or a shard are of the whole file.
 *
 * <h2>Rejects</h2>
 *
 * <p>One JSON object per line, in UTF-8 and in the order of reading, with these members:
 *
 * <pre>
 * source           as in the column source
 * line             as in the column record
 * reason           why the record was rejected
 * encoding         the encoding of content: "utf-8" or "base64"
 * content          the record: its text, or its bytes in base64 if they are not UTF-8; empty if
 *                  the record was too long
 * </pre>
 *
 * <h2>Checksums and versions</h2>
 *
 * <p>The manifest holds the size of each shard, checked when the folder is opened, and its SHA-256,
 * checked before the tokens of its split are first read. Readers reject any other format version,
 * because shards are cheap to write again.
 */
public final class ShardFormat {
  public static final int VERSION = 1;

  static final String METADATA = "lengthwise";
  static final String TOKENS = "tokens";
  static final String SOURCE = "source";
  static final String RECORD = "record";
  static final String BYTES = "bytes";

  private ShardFormat() {}

  /** {@return the name of a shard's file in the folder} Numbers count from 0 in each split. */
  public static String fileName(Split split, int number) {
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

  private record Metadata(int formatVersion, Split split, TokenizerIdentity tokenizer) {}

  private static String metadata(Split split, TokenizerIdentity tokenizer) {
    try {
      return ConfigLoader.strictMapper()
          .writeValueAsString(new Metadata(VERSION, split, tokenizer));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("three plain values are always valid JSON", e);
    }
  }

  /** Rejects a shard whose schema differs from the manifest. */
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
