package org.lengthwise.dataprep.prepare;

import org.lengthwise.dataprep.source.Bytes;
import org.lengthwise.dataprep.source.Origin;

/** What a raw document is found to be, before anything is made of its text. */
sealed interface Judgement {

  /**
   * It is a document.
   *
   * @param origin where it was found
   * @param text its text, which is not empty
   * @param content the record or file that holds the text
   */
  record Accepted(Origin origin, String text, Bytes content) implements Judgement {}

  /**
   * It is none.
   *
   * @param outcome what becomes of it instead
   */
  record Refused(Outcome outcome) implements Judgement {}
}
