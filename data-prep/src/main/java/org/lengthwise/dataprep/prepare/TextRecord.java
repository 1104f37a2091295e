package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;
import java.util.StringJoiner;

/**
 * Finds the text in a JSON record: a string under {@code text}, or a list of strings, which are
 * joined with a blank line between them. All other keys must be valid JSON and are ignored.
 */
final class TextRecord {

  /** A line is not a valid record. */
  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String reason) {
      super(reason);
    }

    /** The reason, for the rejects file. */
    String reason() {
      return String.valueOf(getMessage());
    }
  }

  /** The reader limits the length of a document, so the parser's own limit is raised. */
  private final JsonFactory factory =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder().maxStringLength(Integer.MAX_VALUE).build())
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .build();

  /** The text of a line. */
  String textOf(String line) throws MalformedException {
    try (JsonParser parser = factory.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedException("expected a JSON object, found " + shown(parser));
      }
      String text = null;
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isText = "text".equals(parser.currentName());
        parser.nextToken();
        if (isText) {
          text = text(parser);
        } else {
          parser.skipChildren();
        }
      }
      if (parser.nextToken() != null) {
        throw new MalformedException("expected one JSON object, found more after it");
      }
      if (text == null) {
        throw new MalformedException("expected a key \"text\", found none");
      }
      return text;
    } catch (JsonProcessingException e) {
      throw new MalformedException(
          "malformed JSON at column "
              + e.getLocation().getColumnNr()
              + ": "
              + e.getOriginalMessage());
    } catch (IOException e) {
      throw new UncheckedIOException("a string in memory could not be read", e);
    }
  }

  private static String text(JsonParser parser) throws IOException, MalformedException {
    if (parser.currentToken() == JsonToken.VALUE_STRING) {
      return parser.getText();
    }
    if (parser.currentToken() != JsonToken.START_ARRAY) {
      throw notText(parser);
    }
    StringJoiner parts = new StringJoiner("\n\n");
    while (parser.nextToken() != JsonToken.END_ARRAY) {
      if (parser.currentToken() != JsonToken.VALUE_STRING) {
        throw notText(parser);
      }
      parts.add(parser.getText());
    }
    return parts.toString();
  }

  private static MalformedException notText(JsonParser parser) {
    return new MalformedException(
        "expected a string or a list of strings under \"text\", found " + shown(parser));
  }

  private static String shown(JsonParser parser) {
    JsonToken token = parser.currentToken();
    return token == null ? "nothing" : token.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
