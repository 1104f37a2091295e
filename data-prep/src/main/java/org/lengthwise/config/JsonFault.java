package org.lengthwise.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.io.IOException;

/** What is wrong with a text that cannot be read as JSON, in plain words. */
public final class JsonFault {
  private static final String REPEATED = "Duplicate field";

  private JsonFault() {}

  /**
   * {@return the fault and its place, such as {@code damaged JSON at line 3, column 7}}
   *
   * @param e what Jackson throws
   */
  public static String inWords(IOException e) {
    if (!(e instanceof JsonProcessingException json)) {
      return "bytes that are no text"; // of a file that was read
    }
    JsonLocation at = json.getLocation();
    String message = String.valueOf(json.getOriginalMessage());
    String fault =
        e instanceof StreamConstraintsException
            ? "JSON with deeper nesting, a longer name or a longer number than are read"
            : e instanceof JsonEOFException
                ? "JSON that breaks off"
                : message.startsWith(REPEATED)
                    ? message.replace(REPEATED, "a repeated key")
                    : "damaged JSON";
    return at == null
        ? fault
        : "%s at line %s, column %s".formatted(fault, at.getLineNr(), at.getColumnNr());
  }
}
