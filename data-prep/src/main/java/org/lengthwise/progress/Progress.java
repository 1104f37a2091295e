package org.lengthwise.progress;

/** Shows the progress of some work; safe for use by several threads. */
public interface Progress extends AutoCloseable {

  /** Shows a new amount. */
  void advanceTo(long done);

  /** Shows a note next to the amount, such as the current loss. It replaces the last note. */
  void message(String note);

  @Override
  void close();
}
