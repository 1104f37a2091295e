package org.lengthwise.dataprep.source;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.lengthwise.dataprep.shard.InputEntry;

/** A listener that keeps all that it is told. */
final class ReadingLog implements ReadingListener {

  final List<Place> places = new ArrayList<>();
  final List<InputEntry> files = new ArrayList<>();
  long numBytes;

  @Override
  public void bytesRead(long total) {
    numBytes = total;
  }

  @Override
  public void documentRead(Supplier<Place> place) {
    places.add(place.get());
  }

  @Override
  public void fileRead(InputEntry entry) {
    files.add(entry);
  }
}
