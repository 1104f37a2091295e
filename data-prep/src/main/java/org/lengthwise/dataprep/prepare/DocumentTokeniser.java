package org.lengthwise.dataprep.prepare;

import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.dataprep.prepare.DocumentParser.ParsedDocument;
import org.lengthwise.dataprep.prepare.PrepareSettings.Deduplication;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.source.Bytes;
import org.lengthwise.dataprep.source.RawDocument;
import org.lengthwise.dataprep.source.TokenFiles;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.DataFormatException;

/** Safe for use by several threads. */
final class DocumentTokeniser {

  private final Tokenizer tokenizer;
  private final PrepareSettings settings;
  private final DocumentParser parser;

  DocumentTokeniser(Tokenizer tokenizer, PrepareSettings settings) {
    this.tokenizer = tokenizer;
    this.settings = settings;
    parser = new DocumentParser(settings.textColumn());
  }

  /** The fate of a document; one that is nested too deeply is rejected. */
  DocumentFate fateOf(RawDocument raw) {
    try {
      return fate(raw);
    } catch (StackOverflowError e) {
      String reason = "needs more stack than there is; LENGTHWISE_OPTS=-Xss sets it";
      return DocumentParser.rejected(raw.origin(), reason, new Bytes(new byte[0]));
    } catch (OutOfMemoryError e) {
      // Another heap would keep the document, so the output would depend on the heap.
      throw new ConfigException(
          raw.origin().toString(),
          "enough memory for this document",
          "none left",
          "give Java a larger heap: LENGTHWISE_OPTS=-Xmx4g here, task_heap_mib on a cluster",
          e);
    } catch (ConfigException e) {
      throw e;
    } catch (RuntimeException e) {
      throw new IllegalStateException("at " + raw.origin(), e);
    }
  }

  private DocumentFate fate(RawDocument raw) {
    if (raw instanceof RawDocument.TokenIds document) {
      return fateOf(document);
    }
    ParsedDocument parsed = parser.parse(raw);
    return parsed instanceof DocumentFate fate ? fate : tokenised((ParsedDocument.Text) parsed);
  }

  /** The fate of ids is that of their text, so both are in the same split. */
  private DocumentFate fateOf(RawDocument.TokenIds document) {
    int[] ids = document.ids();
    if (ids.length == 0) {
      return DocumentParser.rejected(
          document.origin(), DocumentParser.EMPTY, new Bytes(new byte[0]));
    }
    int numBytes = Arrays.stream(ids).map(tokenizer::numBytes).sum();
    String text = tokenizer.decode(ids);
    return new DocumentFate.Tokenised(
        document.origin(),
        splitOf(text.getBytes(StandardCharsets.UTF_8)),
        IntBuffer.wrap(ids),
        numBytes,
        keyOf(text));
  }

  private DocumentFate tokenised(ParsedDocument.Text document) {
    String text = document.text();
    IntBuffer tokens;
    try {
      tokens = IntBuffer.wrap(tokenizer.encode(text));
    } catch (DataFormatException e) {
      return new DocumentFate.Rejected(
          document.origin(), String.valueOf(e.getMessage()), document.content());
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return new DocumentFate.Tokenised(
        document.origin(), splitOf(utf8), tokens, utf8.length, keyOf(text));
  }

  private @Nullable TextKey keyOf(String text) {
    return settings.dedup() == Deduplication.EXACT ? TextKey.of(text) : null;
  }

  private Split splitOf(byte[] utf8) {
    TokenFiles files = settings.tokens();
    Split named = files == null ? null : files.split();
    return named == null ? settings.split().splitOf(hash(utf8)) : named;
  }

  static long hash(byte[] utf8) {
    return ByteBuffer.wrap(Sha256.newDigest().digest(utf8)).getLong();
  }
}
