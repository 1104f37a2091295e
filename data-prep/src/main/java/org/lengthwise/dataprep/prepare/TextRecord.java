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
import org.jspecify.annotations.Nullable;

/**
 * Finds the text in a JSON record: a string under a key, or a list of strings, which are joined
 * with a blank line between them. All other keys must be valid JSON and are ignored. The key {@code
 * a.b} is also the key b in the object under a.
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

  private final String key;
  private final String[] path;

  TextRecord(String key) {
    this.key = key;
    path = key.split("\\.", -1);
  }

  /** The text of a line. */
  String textOf(String line) throws MalformedException {
    try (JsonParser parser = factory.createParser(line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedException("expected a JSON object, found " + shown(parser));
      }
      String text = textIn(parser, 0);
      if (parser.nextToken() != null) {
        throw new MalformedException("expected one JSON object, found more after it");
      }
      if (text == null) {
        throw new MalformedException("expected a key \"" + key + "\", found none");
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

  /** The text in an object, which the path enters at a depth; null if there is none. */
  private @Nullable String textIn(JsonParser parser, int depth)
      throws IOException, MalformedException {
    String text = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      boolean isOnPath = path[depth].equals(name);
      JsonToken value = parser.nextToken();
      if ((isOnPath && depth == path.length - 1) || (depth == 0 && key.equals(name))) {
        text = text(parser);
      } else if (isOnPath && value == JsonToken.START_OBJECT) {
        text = textIn(parser, depth + 1);
      } else {
        parser.skipChildren();
      }
    }
    return text;
  }

  private String text(JsonParser parser) throws IOException, MalformedException {
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

  private MalformedException notText(JsonParser parser) {
    return new MalformedException(
        "expected a string or a list of strings under \"%s\", found %s"
            .formatted(key, shown(parser)));
  }

  private static String shown(JsonParser parser) {
    JsonToken token = parser.currentToken();
    return token == null ? "nothing" : token.name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
