package org.lengthwise.eval.perplexity;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.lengthwise.dataprep.artifact.AtomicFile;
import org.lengthwise.dataprep.artifact.Workspace;
import org.lengthwise.dataprep.config.ConfigLoader;

/**
 * The note of a measurement that grows cell by cell: with it, what an attempt leaves is worth
 * keeping for the next one.
 *
 * @param finishedCells how many cells are finished
 */
public record Note(int finishedCells) {
  private static final ObjectMapper MAPPER = ConfigLoader.strictMapper();

  /**
   * Writes the note, atomically.
   *
   * @param workspace where the measurement grows
   * @throws IOException if it cannot be written
   */
  public void write(Workspace workspace) throws IOException {
    AtomicFile.write(workspace.progress(), out -> MAPPER.writeValue(out, this));
  }
}
