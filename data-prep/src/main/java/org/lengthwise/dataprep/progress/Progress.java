package org.lengthwise.dataprep.progress;

/** The progress of one task, told by the task itself; safe to use from several threads. */
public interface Progress extends AutoCloseable {

  /**
   * Says how much is done.
   *
   * @param done the amount done since the start, in the task's unit
   */
  void advanceTo(long done);

  /**
   * Says something beside the amount, such as the current loss; the latest note replaces the one
   * before.
   *
   * @param note a few words
   */
  void message(String note);

  /** Ends the report with the amount last told. */
  @Override
  void close();
}
