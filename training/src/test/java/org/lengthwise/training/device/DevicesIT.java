package org.lengthwise.training.device;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.Device;
import ai.djl.pytorch.jni.JniUtils;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DevicesIT {
  @Test
  void theLoadedLibtorchIsReadFromTheMapsOfTheProcess() {
    Devices.libtorch();
    Path maps = Path.of("/proc/self/maps");
    assertThat(Libtorch.isMapped("libtorch_cpu.so", maps)).isTrue();
    assertThat(Libtorch.isMapped("torch_cpu.so", maps)).isFalse();
    assertThat(Libtorch.isMapped("libtorch_cpu.so", maps.resolve("absent"))).isFalse();
  }

  @Test
  void cpuMayHoldSeveralReplicas() {
    assertThat(Devices.listOf("cpu")).containsExactly(Device.cpu());
    assertThat(Devices.listOf("cpu:3")).containsExactly(Device.cpu(), Device.cpu(), Device.cpu());
  }

  /** Without cgroups, a job sees all processors of its node. */
  @Test
  void theEngineHasTheThreadsOfTheSlurmJobUnlessTheUserSetsThem() throws Exception {
    assertThat(threads("SLURM_CPUS_ON_NODE", "3")).isEqualTo("3");
    assertThat(threads("OMP_NUM_THREADS", "1")).isEqualTo("1");
  }

  private static String threads(String variable, String value) throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
            ProcessHandle.current().info().command().orElseThrow(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            Threads.class.getName());
    builder.environment().remove("OMP_NUM_THREADS");
    builder.environment().put("SLURM_CPUS_ON_NODE", "2");
    builder.environment().put(variable, value);
    Process process = builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
    try {
      String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return printed.lines().reduce("", (earlier, later) -> later);
    } finally {
      process.destroyForcibly();
    }
  }

  /** Prints the number of threads of an operator. */
  static final class Threads {
    private Threads() {}

    public static void main(String[] arguments) {
      Devices.listOf("cpu");
      System.out.println(JniUtils.getNumThreads());
    }
  }
}
