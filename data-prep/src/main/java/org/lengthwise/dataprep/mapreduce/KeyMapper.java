package org.lengthwise.dataprep.mapreduce;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;
import org.lengthwise.dataprep.prepare.PartKeys;
import org.lengthwise.dataprep.prepare.TextKey;
import org.lengthwise.dataprep.source.PartReader;

/** Maps a unit to the key of each document's text and the document's position. */
final class KeyMapper
    extends Mapper<NullWritable, UnitInputFormat.Reading, BytesWritable, BytesWritable> {

  @Override
  protected void map(NullWritable key, UnitInputFormat.Reading reading, Context context)
      throws IOException {
    UnitAttempt.run(
        reading, context, (unit, settings, reader) -> emit(unit, settings, reader, context));
  }

  private static void emit(WorkUnit unit, TaskSettings settings, PartReader reader, Context context)
      throws IOException {
    int rejects =
        new PartKeys(settings.settings(), reader)
            .run(
                unit.parts(),
                (key, ordinal) -> write(key, new Position(unit.number(), ordinal), context));
    context.getCounter(PreparationCounter.REJECTS).increment(rejects);
  }

  private static void write(TextKey key, Position position, Context context) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(TextKey.BYTES);
    bytes.putLong(key.high()).putLong(key.low());
    try {
      context.write(new BytesWritable(bytes.array()), position.toBytes());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("interrupted while writing").initCause(e);
    }
  }
}
