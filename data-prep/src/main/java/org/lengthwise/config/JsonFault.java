package org.lengthwise.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import java.io.IOException;

/** What is wrong with a text that cannot be read as JSON, in plain words. */
public final class JsonFault {
  private JsonFault() {}

  /** {@return the fault and its place, such as {@code damaged JSON at line 3, column 7}} */
  public static String inWords(IOException e) {
    JsonLocation at = e instanceof JsonProcessingException json ? json.getLocation() : null;
    String tooLarge = "JSON that is too deep or has too long a name or number";
    return (e instanceof StreamConstraintsException ? tooLarge : "damaged JSON")
        + (at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr());
  }
}
