package org.lengthwise.dataprep.source;

import java.util.function.Supplier;
import org.lengthwise.dataprep.shard.InputEntry;

/** Is told how far the reading of a corpus is, on the thread that reads. */
public interface ReadingListener {

  /**
   * Bytes were read.
   *
   * @param total how many, over all files
   */
  void bytesRead(long total);

  /**
   * A document was passed on, and the next one not yet. Not called for documents before the place
   * where the reading was told to start.
   *
   * @param place the place between the two, which can be asked for until this method returns
   */
  void documentRead(Supplier<Place> place);

  /**
   * A file was read to its end.
   *
   * @param entry what it held
   */
  void fileRead(InputEntry entry);
}
