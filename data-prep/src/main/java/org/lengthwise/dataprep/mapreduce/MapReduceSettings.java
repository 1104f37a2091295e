package org.lengthwise.dataprep.mapreduce;

/**
 * How the work is divided among tasks: the content of {@code conf/mapreduce.yaml}.
 *
 * @param taskBytes how much stored input a task gets, unless one file or entry alone is larger
 * @param taskMemoryMib the memory of a task's container, in MiB
 * @param taskHeapMib the share of it that is Java heap, in MiB
 */
public record MapReduceSettings(long taskBytes, int taskMemoryMib, int taskHeapMib) {

  /** Checks the ranges. */
  public MapReduceSettings {
    if (taskBytes < 1) {
      throw new IllegalArgumentException("taskBytes must be positive, found " + taskBytes);
    }
    if (taskHeapMib < 1 || taskMemoryMib <= taskHeapMib) {
      throw new IllegalArgumentException(
          "taskHeapMib must be positive and less than taskMemoryMib, found %d and %d"
              .formatted(taskHeapMib, taskMemoryMib));
    }
  }
}
