package org.lengthwise.dataprep.mapreduce;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapreduce.InputSplit;
import org.lengthwise.dataprep.config.ConfigLoader;

/** A unit on its way to its task. */
final class UnitSplit extends InputSplit implements Writable {

  private byte[] json = new byte[0];
  private long numBytes;

  /** Where the first bytes lie: for the scheduler alone, so it does not travel. */
  private List<String> hosts = List.of();

  /** For Hadoop, which reads the fields afterwards. */
  UnitSplit() {}

  UnitSplit(WorkUnit unit, List<String> hosts) throws IOException {
    json = ConfigLoader.strictMapper().writeValueAsBytes(unit);
    numBytes = unit.numBytes();
    this.hosts = hosts;
  }

  WorkUnit unit() throws IOException {
    return ConfigLoader.strictMapper().readValue(json, WorkUnit.class);
  }

  @Override
  public long getLength() {
    return numBytes;
  }

  @Override
  public String[] getLocations() {
    return hosts.toArray(String[]::new);
  }

  @Override
  public void write(DataOutput out) throws IOException {
    out.writeLong(numBytes);
    out.writeInt(json.length);
    out.write(json);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    numBytes = in.readLong();
    json = new byte[in.readInt()];
    in.readFully(json);
  }

  @Override
  public String toString() {
    return new String(json, StandardCharsets.UTF_8);
  }
}
