package org.lengthwise.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.InvalidNullException;
import java.io.IOException;

/** What is wrong with a text that cannot be read as JSON, in plain words. */
public final class JsonFault {
  private JsonFault() {}

  /**
   * {@return what is wrong with a stored value} A record that rejects a value says why. Other
   * faults are named by {@link #inWords}.
   */
  public static String ofValue(JsonProcessingException e) {
    if (e instanceof InvalidNullException none) {
      return "null for `" + none.getPropertyName().getSimpleName() + "`";
    }
    return e instanceof JsonMappingException ? e.getOriginalMessage() : inWords(e);
  }

  /** {@return the fault and its place, such as {@code damaged JSON at line 3, column 7}} */
  public static String inWords(IOException e) {
    JsonLocation at = e instanceof JsonProcessingException json ? json.getLocation() : null;
    String tooLarge = "JSON that is too deep or has too long a name or number";
    String fault =
        String.valueOf(e.getMessage()).startsWith("Duplicate")
            ? "a key twice in JSON"
            : "damaged JSON";
    return (e instanceof StreamConstraintsException ? tooLarge : fault)
        + (at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr());
  }
}
