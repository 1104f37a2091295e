package org.lengthwise.dataprep.mapreduce;

import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Partitioner;

/** Sends all positions of a unit to one task. */
final class UnitPartitioner extends Partitioner<BytesWritable, NullWritable> {

  /** For Hadoop, which makes it by reflection. */
  UnitPartitioner() {}

  @Override
  public int getPartition(BytesWritable position, NullWritable nothing, int numPartitions) {
    return Position.of(position).unit() % numPartitions;
  }
}
