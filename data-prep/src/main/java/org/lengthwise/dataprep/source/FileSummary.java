package org.lengthwise.dataprep.source;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.lengthwise.dataprep.source.TokenFiles.Format;
import org.lengthwise.dataprep.storage.Storage;
import org.lengthwise.dataprep.tokenizer.Tokenizer;
import org.lengthwise.error.ConfigException;

/**
 * What a file that prepare reads holds. Only its beginning, or its footer and first row group, is
 * read.
 *
 * @param facts its format in words, and its counts as whole numbers, by name
 * @param beginning the first characters of the first document, or of its JSON record
 */
public record FileSummary(String file, Map<String, Object> facts, String beginning) {

  private static final int SHOWN_CHARACTERS = 300;
  private static final int SHOWN_IDS = 60;
  private static final int DOCUMENT_BYTES = 1 << 24;

  public static FileSummary of(String uri, Tokenizer tokenizer) throws IOException {
    Storage storage = Storage.of(uri);
    Reading reading = readingOf(storage, uri, tokenizer);
    FileKind kind =
        FileKind.of(uri, reading)
            .orElseThrow(
                () ->
                    new ConfigException(
                        uri,
                        "a folder, or a file of one of " + FileKind.knownExtensions(reading),
                        "a file with another extension",
                        "check the path"));
    InputFile file =
        new InputFile(storage, uri, uri, storage.list(uri).get(0).bytes(), kind, reading);
    file.refusePointer();
    Map<String, Object> facts = new LinkedHashMap<>();
    try {
      String beginning =
          switch (kind.layout()) {
            case PARQUET -> table(file, facts);
            case TOKENS -> ids(file, facts, tokenizer);
            default -> {
              facts.put("format", kind.inWords());
              yield firstText(file);
            }
          };
      facts.put("bytes", file.bytes());
      return new FileSummary(uri, facts, beginning);
    } catch (IOException e) {
      throw Part.damaged(file, e);
    }
  }

  /** Recognises the format of token ids: by the file beside it, then by its first number. */
  private static Reading readingOf(Storage storage, String uri, Tokenizer tokenizer)
      throws IOException {
    if (!uri.toLowerCase(Locale.ROOT).endsWith(".bin")) {
      return Reading.TEXT;
    }
    Format format = Format.NANOGPT;
    if (storage.exists(MegatronIndex.beside(uri))) {
      format = Format.MEGATRON;
    } else if (storage.list(uri).get(0).bytes() >= TokenReader.LLM_C_HEADER) {
      try (NumberStream in = new NumberStream(storage.open(uri))) {
        long magic = in.next(IdType.INT32);
        boolean isLlmC = magic == TokenReader.LLM_C_NARROW || magic == TokenReader.LLM_C_WIDE;
        format = isLlmC ? Format.LLM_C : format;
      }
    }
    return new Reading(
        Reading.TEXT.textColumn(),
        new TokenFiles(
            format, tokenizer.endOfText(), tokenizer.endOfText(), tokenizer.vocabularySize(), null),
        Reading.ZSTD_WINDOW_LOG);
  }

  private static String ids(InputFile file, Map<String, Object> facts, Tokenizer tokenizer)
      throws IOException {
    facts.put("format", "token ids, --tokens " + file.tokens().format().label());
    try (InputStream in = file.storage().open(file.uri());
        TokenReader reader = TokenReader.open(file, in, DOCUMENT_BYTES)) {
      facts.put("tokens", reader.numIds());
      facts.put("type of ids", reader.type().toString());
      facts.put("shown with", "--tokenizer " + tokenizer.name());
      return tokenizer.decode(reader.beginning(SHOWN_IDS));
    }
  }

  private static String table(InputFile file, Map<String, Object> facts) throws IOException {
    String textColumn = "";
    try (SeekableByteChannel channel = file.openChannel(true);
        ParquetFileReader reader =
            ParquetColumn.openFile(channel, Channels.newInputStream(channel))) {
      List<BlockMetaData> groups = reader.getRowGroups();
      facts.put("format", "Parquet, written by " + reader.getFileMetaData().getCreatedBy());
      facts.put("rows", reader.getRecordCount());
      facts.put("row groups", groups.size());
      for (ColumnDescriptor column : reader.getFileMetaData().getSchema().getColumns()) {
        String name = String.join(".", column.getPath());
        String type = ParquetSchema.shown(column.getPrimitiveType());
        boolean isText = type.equals("string") && column.getMaxRepetitionLevel() == 0;
        facts.put("column " + name, column.getMaxRepetitionLevel() == 0 ? type : "list of " + type);
        textColumn = isText && (textColumn.isEmpty() || name.equals("text")) ? name : textColumn;
      }
    }
    if (textColumn.isEmpty()) {
      return "";
    }
    facts.put("shown column", textColumn);
    return firstText(file.with(Reading.TEXT.withColumn(textColumn)));
  }

  private static String firstText(InputFile file) throws IOException {
    try (DocumentReader reader =
        DocumentReader.ofFile(file, CorpusOffset.startOf(0), DOCUMENT_BYTES, count -> {})) {
      RawDocument first = reader.next();
      while (first instanceof RawDocument.NotText) {
        first = reader.next();
      }
      String text = "";
      if (first instanceof RawDocument.PlainText plain) {
        text = plain.content().shown();
      } else if (first instanceof RawDocument.JsonRecord json) {
        text = json.line().shown();
      }
      return text.substring(0, Math.min(text.length(), SHOWN_CHARACTERS));
    }
  }
}
