package org.lengthwise.measure;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;

/**
 * A job that measures models and stores the results in a folder, cell by cell.
 *
 * @param <C> the type of a cell; equal cells are the same cell
 */
public interface Measurement<C> {

  /** {@return the name in progress reports, such as {@code evaluate}} */
  String name();

  /**
   * {@return a record, which Jackson can write, of all values that decide the numbers} It is stored
   * as {@code measurement.json} and compared when the measurement resumes.
   */
  Record description();

  /** Checks that data and machine can serve all cells. Called before the first cell is measured. */
  void requireFeasible() throws IOException;

  /** {@return all cells, finished or not, in the order in which they are measured} */
  List<C> cells();

  /** {@return the number of tokens that are read to measure a cell; the unit of progress} */
  long tokens(C cell);

  /**
   * {@return the cells that a folder holds completely}
   *
   * @param folder the folder, which earlier attempts have filled in part
   */
  Set<C> finished(Path folder) throws IOException;

  /**
   * Measures a cell and stores it. When this method has returned, {@link #finished} contains the
   * cell.
   *
   * @param cell a cell that is not finished
   * @param done gets the number of tokens read so far, after each batch; it throws {@link
   *     java.util.concurrent.CancellationException} to stop
   * @return the result in a few words
   */
  String measure(C cell, Path folder, LongConsumer done) throws IOException;

  /** Writes the files that need all cells. */
  default void summarise(Path folder) throws IOException {}
}
