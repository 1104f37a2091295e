package org.lengthwise.dataprep.mapreduce;

import org.lengthwise.config.Checks;
import org.lengthwise.config.Unit;

/**
 * The sizes of tasks: the content of {@code conf/mapreduce.yaml}.
 *
 * @param taskBytes the largest input of a task as stored, unless one file or entry alone is larger
 * @param taskMemoryMib the memory of a task's container
 * @param taskHeapMib the Java heap within that memory, smaller than it
 */
public record MapReduceSettings(
    @Unit("bytes") long taskBytes, @Unit("MiB") int taskMemoryMib, @Unit("MiB") int taskHeapMib) {

  public MapReduceSettings {
    Checks.atLeast("task_bytes", taskBytes, 1);
    Checks.atLeast("task_heap_mib", taskHeapMib, 1);
    Checks.require(
        taskHeapMib < taskMemoryMib,
        "task_heap_mib",
        "less than task_memory_mib " + taskMemoryMib,
        taskHeapMib);
  }
}
