package org.lengthwise.dataprep.prepare;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Finds the text in a JSON record: a string under a key, or a list of strings, which are joined
 * with a blank line between them. All other keys must be valid JSON, or the NaN and Infinity that
 * Python writes, and are skipped. The key {@code a.b} is also the key b in the object under a.
 */
final class TextRecord {

  /** A parser takes about 60 bytes for each level. */
  private static final int DEEPEST = 1_000_000;

  private static final int MOST_SHOWN = 10;
  private static final int LONGEST_SHOWN = 40;
  private static final char BYTE_ORDER_MARK = '\uFEFF';

  static final class MalformedException extends Exception {
    private static final long serialVersionUID = 1L;

    MalformedException(String reason) {
      super(reason);
    }

    String reason() {
      return String.valueOf(getMessage());
    }
  }

  /** The reader limits the length of a document, so the parser's own limits are raised. */
  private final JsonFactory factory =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxNestingDepth(DEEPEST)
                  .build())
          .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES) // else names of records pile up
          .build();

  private final String key;
  private final String[] path;

  TextRecord(String key) {
    this.key = key;
    path = key.split("\\.", -1);
  }

  String textOf(String line) throws MalformedException {
    String json = !line.isEmpty() && line.charAt(0) == BYTE_ORDER_MARK ? line.substring(1) : line;
    try (JsonParser parser = factory.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new MalformedException("expected a JSON object, found " + shown(parser));
      }
      List<String> keys = new ArrayList<>();
      String text = textIn(parser, 0, keys);
      if (parser.nextToken() != null) {
        throw new MalformedException("expected one JSON object, found more after it");
      }
      if (text == null) {
        throw new MalformedException(
            "expected a key \"%s\", found %s; --text-column names the key of the text"
                .formatted(key, keys.isEmpty() ? "no key" : String.join(", ", keys)));
      }
      return text;
    } catch (StreamConstraintsException e) {
      throw new MalformedException("brackets within more than %s others".formatted(DEEPEST));
    } catch (JsonProcessingException e) {
      throw malformed(json, e);
    } catch (IOException e) {
      throw new UncheckedIOException("a string in memory could not be read", e);
    }
  }

  /**
   * The text in an object, which the path enters at a depth; null if there is none.
   *
   * @param keys receives the first keys of the outermost object
   */
  private @Nullable String textIn(JsonParser parser, int depth, List<String> keys)
      throws IOException, MalformedException {
    String text = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      if (depth == 0 && keys.size() < MOST_SHOWN) {
        keys.add("\"" + name.substring(0, Math.min(name.length(), LONGEST_SHOWN)) + "\"");
      }
      boolean isOnPath = path[depth].equals(name);
      JsonToken value = parser.nextToken();
      String found = null;
      if ((isOnPath && depth == path.length - 1) || (depth == 0 && key.equals(name))) {
        found = text(parser);
      } else if (isOnPath && value == JsonToken.START_OBJECT) {
        found = textIn(parser, depth + 1, keys);
      } else {
        parser.skipChildren();
      }
      if (text != null && found != null) {
        throw new MalformedException("expected one key \"" + key + "\", found two");
      }
      text = found == null ? text : found;
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

  /** Names the place and the character where the parser stopped, instead of its own words. */
  private static MalformedException malformed(String json, JsonProcessingException e) {
    int column = e.getLocation().getColumnNr();
    int at = column - 1;
    String found;
    if (at >= json.stripTrailing().length()) {
      found = "the end of the record";
    } else if (json.charAt(at) < ' ') {
      found = "an unescaped control character, code " + (int) json.charAt(at);
    } else {
      found = json.substring(at, Math.min(json.length(), at + LONGEST_SHOWN));
    }
    return new MalformedException("malformed JSON at column " + column + ": found " + found);
  }

  private static String shown(JsonParser parser) {
    JsonToken token = parser.currentToken();
    if (token == null) {
      return "nothing";
    }
    return switch (token) {
      case START_OBJECT -> "an object";
      case START_ARRAY -> "a list";
      case VALUE_STRING -> "a string";
      case VALUE_NULL -> "null";
      case VALUE_TRUE, VALUE_FALSE -> "true or false";
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
      default -> "a bracket that closes nothing";
    };
  }
}
