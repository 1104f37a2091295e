package org.lengthwise.artifact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MachineTest {
  @Test
  void theProcessorIsItsMakerAndItsVectorInstructions() {
    String facts =
        """
        processor\t: 0
        vendor_id\t: AuthenticAMD
        model name\t: AMD EPYC 7B13
        flags\t\t: fpu sse2 fma avx2 avx erms

        processor\t: 1
        vendor_id\t: other
        """;
    Machine machine = Machine.of("node1", facts, 2);
    assertThat(machine.model()).isEqualTo("AMD EPYC 7B13");
    assertThat(machine.processor())
        .isEqualTo(System.getProperty("os.arch") + " AuthenticAMD avx avx2 fma");
    assertThat(machine.version(new BuildInfo("1.0", "0123", true)))
        .contains("commit 0123 with uncommitted changes", "java " + Runtime.version());
    assertThat(Machine.of("", "", null).processor()).isEqualTo(System.getProperty("os.arch"));
  }
}
