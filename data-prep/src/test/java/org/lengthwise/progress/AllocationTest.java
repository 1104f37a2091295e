package org.lengthwise.progress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class AllocationTest {
  private static final long GIB = 1L << 30;

  private static Allocation of(Map<String, String> environment, int visible) {
    return Allocation.of(environment, visible, 8, 16 * GIB);
  }

  @Test
  void slurmComesBeforeTheCgroupAndTheCgroupBeforeTheMachine() {
    Map<String, String> task = Map.of("SLURM_CPUS_PER_TASK", "3", "SLURM_CPUS_ON_NODE", "6");
    assertThat(of(task, 2))
        .hasToString(
            "processors: 3 by SLURM_CPUS_PER_TASK; memory: 16,384 MiB by the machine or its cgroup");
    assertThat(of(Map.of("SLURM_CPUS_ON_NODE", "6"), 2).toString())
        .startsWith("processors: 6 by SLURM_CPUS_ON_NODE;");
    assertThat(of(Map.of(), 2).toString()).startsWith("processors: 2 by its cgroup;");
    assertThat(of(Map.of(), 8).toString()).startsWith("processors: 8 by the machine;");
    assertThat(Allocation.of(Map.of(), 2, 0, GIB).toString())
        .startsWith("processors: 2 by the machine");
  }

  @Test
  void theEngineIsToldNothingThatTheUserHasSetOrThatItSeesByItself() {
    assertThat(of(Map.of("SLURM_CPUS_ON_NODE", "6"), 6).threadsToSet()).hasValue(6);
    assertThat(of(Map.of(), 2).threadsToSet()).hasValue(2);
    assertThat(of(Map.of(), 8).threadsToSet()).isEmpty();
    Allocation set = of(Map.of("SLURM_CPUS_ON_NODE", "6", "OMP_NUM_THREADS", "1"), 6);
    assertThat(set.threadsToSet()).isEmpty();
    assertThat(set.toString())
        .contains("6 by SLURM_CPUS_ON_NODE, OMP_NUM_THREADS=1 for the engine");
  }

  @Test
  void oneUseHasAtMostAQuarterOfTheMemory() {
    assertThat(of(Map.of(), 8).quarterMegabytes()).isEqualTo(4096);
    Allocation job = of(Map.of("SLURM_MEM_PER_NODE", "2000"), 8);
    assertThat(job.quarterMegabytes()).isEqualTo(500);
    assertThat(job.toString()).endsWith("memory: 2,000 MiB by SLURM_MEM_PER_NODE");
    assertThat(of(Map.of("SLURM_MEM_PER_NODE", "0"), 8).memoryBytes()).isEqualTo(16 * GIB);
    assertThat(of(Map.of("SLURM_MEM_PER_NODE", "99999"), 8).memoryBytes()).isEqualTo(16 * GIB);
  }

  @Test
  void theAllocationOfThisProcessIsPositive() {
    Allocation here = Allocation.current();
    assertThat(here.processors()).isPositive();
    assertThat(here.memoryBytes()).isGreaterThan(GIB / 16);
  }
}
