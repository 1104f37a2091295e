package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.util.Iterator;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Reducer;

/** Reduces the positions of one text, in any order, to all positions except the first. */
final class DuplicateReducer
    extends Reducer<BytesWritable, BytesWritable, BytesWritable, NullWritable> {

  @Override
  protected void reduce(BytesWritable key, Iterable<BytesWritable> positions, Context context)
      throws IOException, InterruptedException {
    Iterator<BytesWritable> unread = positions.iterator();
    Position first = Position.of(unread.next());
    while (unread.hasNext()) {
      Position next = Position.of(unread.next());
      boolean isEarlier = next.compareTo(first) < 0;
      Position duplicate = isEarlier ? first : next;
      first = isEarlier ? next : first;
      context.write(duplicate.toBytes(), NullWritable.get());
    }
  }
}
