package org.lengthwise.dataprep.mapreduce;

import org.lengthwise.config.Checks;

/**
 * The sizes of tasks: the content of {@code conf/mapreduce.yaml}.
 *
 * @param taskBytes the most stored input of a task in bytes, unless one file or entry alone is
 *     larger
 * @param taskMemoryMib the memory of a task's container, in MiB
 * @param taskHeapMib the Java heap within that memory, in MiB
 */
public record MapReduceSettings(long taskBytes, int taskMemoryMib, int taskHeapMib) {

  /** Requires positive sizes, and a heap smaller than the memory. */
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
