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
 * Folder  = Manifest, Shard*, Rejects, "DONE"
 * Manifest= "manifest.json"
 * Rejects = "rejects.jsonl"                     the records that were set aside as malformed
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
 * <p>An Arrow IPC file as the <a
 * href="https://arrow.apache.org/docs/format/Columnar.html#ipc-file-format">Arrow columnar
 * format</a> specifies it: magic {@code ARROW1}, metadata version 5, little-endian, neither
 * dictionaries nor compression, of at most {@link ShardLimits#shardBytes()} bytes, itself at most 1
 * GiB. Every row is a document. No column and no list item holds nulls.
 *
 * <table>
 * <caption>Columns, in this order</caption>
 * <tr><th>name</th><th>type</th><th>content</th></tr>
 * <tr><td>{@code tokens}</td><td>{@code list<uint16>}; {@code list<int32>} when the vocabulary has more than 65,536
 * ids</td><td>the document's tokens, the last of them end-of-text</td></tr>
 * <tr><td>{@code source}</td><td>{@code utf8}</td><td>the input file's name, the same
 * wherever the corpus is kept; {@code !} and the entry's name where it is an archive</td></tr>
 * <tr><td>{@code record}</td><td>{@code int64}</td><td>the line in the source, counted from 1; 0
 * where the document is the whole of it</td></tr>
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
 * <p>{@code sha256} identifies the tokenizer, 64 hexadecimal digits in lower case: the digest of
 * the tokenizer.json; for {@code gpt2} that of the published ranks and the table of characters by
 * which texts are cut, for {@code bytes} that of a sentence which defines it. The manifest of the
 * folder has the same object.
 *
 * <h2>Batches</h2>
 *
 * <p>A record batch ends before the document that would carry it past {@link
 * ShardLimits#batchTokens()} tokens; a longer document fills a batch of its own. A shard ends
 * before the document with which it could pass its limit. Documents are never divided. Both rules
 * look at nothing but the documents and the limits, so the same documents in the same order give
 * the same bytes.
 *
 * <p>Where several tasks shared the work, as on a cluster, batches and shards also end where the
 * input of a task ends. Such a folder has the documents of one that was written by a single task,
 * in the same order, and so the same streams; its files are others.
 *
 * <p>A reader without an Arrow library finds the messages through the file's footer, and in the
 * body of each these buffers, all little-endian, each at the offset that the message says, counted
 * from the body's start:
 *
 * <table>
 * <caption>Buffers of a batch of N rows</caption>
 * <tr><th>number</th><th>content</th></tr>
 * <tr><td>0, 2, 4, 7, 9</td><td>validity of tokens, their items, source, record, bytes: every bit set,
 * may be passed over</td></tr>
 * <tr><td>1</td><td>N + 1 numbers of 32 bits: row i has the tokens from number i up to number i + 1; the
 * first is 0, the last the number of tokens in the batch</td></tr>
 * <tr><td>3</td><td>the tokens, 16 bits each without sign or 32 bits each</td></tr>
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
 * <p>The tokens of a split are those of its shards by number, in each of its batches by position in
 * the footer, in each of its rows by index. Within a batch the values buffer of {@code tokens} is
 * that stream without a gap, which is what lets a reader map it and take windows across documents.
 *
 * <h2>Manifest</h2>
 *
 * <p>A JSON object in UTF-8 of these members, and no others:
 *
 * <pre>
 * format_version   1
 * tokenizer        {name, sha256, vocabulary_size, end_of_text}
 * inputs           [{uri, bytes, sha256}]            the files that were read, in order
 * settings         {...}                             the resolved configuration of prepare
 * splits           {train, validation, test}, each
 *                  {documents, tokens, shards: [{file, bytes, sha256, documents, tokens}]}
 * rejects          the number of records that were set aside as malformed
 * duplicates       the number of documents left out because their text had occurred before
 * build            {version, commit, dirty}          the software that wrote the folder
 * </pre>
 *
 * <p>Tokens are counted with end-of-text; shards are listed in the order of the stream; an input's
 * and a shard's {@code bytes} and {@code sha256} are those of the whole file.
 *
 * <h2>Rejects</h2>
 *
 * <p>A JSON object a line, in UTF-8 and in the order of reading, of these members:
 *
 * <pre>
 * source           as in the column source
 * line             as in the column record
 * reason           what is wrong with the record, in words
 * encoding         how content is to be read: "utf-8" or "base64"
 * content          the record as it was found: its text, or where it is not UTF-8 its bytes in
 *                  base64; empty where the record was too long to be kept
 * </pre>
 *
 * <h2>Checksums and versions</h2>
 *
 * <p>The manifest holds each shard's size, which is checked when the folder is opened, and SHA-256,
 * which is checked before the tokens of its split are first read. Readers refuse any other format
 * version: a shard is cheap to make again and expensive to misread.
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

  /**
   * The name of a shard.
   *
   * @param split the split that it belongs to
   * @param number its position in the split, counted from 0
   * @return the file's name in the folder
   */
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
