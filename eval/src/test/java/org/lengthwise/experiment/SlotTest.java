package org.lengthwise.experiment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SlotTest {

  @Test
  void aProcessSeesOnlyTheGpuOfItsSlot() {
    assertThat(Slot.gpu(2, 0, 1, Map.of()))
        .isEqualTo(new Slot("gpu:2", "gpu:0", Map.of("CUDA_VISIBLE_DEVICES", "2")));
    assertThat(Slot.gpu(1, 0, 1, Map.of("CUDA_VISIBLE_DEVICES", "5, GPU-8f2c")).environment())
        .containsEntry("CUDA_VISIBLE_DEVICES", "GPU-8f2c");
  }

  @Test
  void slotsOfOneGpuDivideItsMemory() {
    assertThat(Slot.gpu(2, 3, 4, Map.of()))
        .isEqualTo(
            new Slot(
                "gpu:2, slot 3",
                "gpu:0",
                Map.of("CUDA_VISIBLE_DEVICES", "2", "LENGTHWISE_GPU_SHARES", "4")));
  }

  @Test
  void twoRunsAtATimeArePreferredOnTwoCoresWithTheMemoryForBoth() {
    long gigabyte = 1L << 30;
    assertThat(Slot.prefersTwo(gigabyte, Map.of(), 2, 4 * gigabyte)).isTrue();
    assertThat(Slot.prefersTwo(gigabyte, Map.of(), 2, 4 * gigabyte - 1)).isFalse();
    assertThat(Slot.prefersTwo(gigabyte, Map.of(), 1, 4 * gigabyte)).isFalse();
    assertThat(Slot.prefersTwo(gigabyte, Map.of(), 8, 4 * gigabyte)).isFalse();
    assertThat(Slot.prefersTwo(gigabyte, Map.of("OMP_NUM_THREADS", "2"), 2, 4 * gigabyte))
        .isFalse();
  }

  @Test
  void slotsOnTheCpuShareTheCoresUnlessTheUserSetsTheirNumber() {
    List<Slot> slots = Slot.listOf("cpu:3", Map.of(), 8);
    assertThat(slots).hasSize(3).extracting(Slot::device).containsOnly("cpu");
    assertThat(slots).allMatch(slot -> slot.environment().equals(Map.of("OMP_NUM_THREADS", "2")));
    assertThat(Slot.listOf("cpu*3", Map.of(), 8)).isEqualTo(slots);
    assertThatThrownBy(() -> Slot.listOf("cpu*0", Map.of(), 8)).hasMessageContaining("'cpu*0'");
    assertThat(Slot.listOf("cpu:3", Map.of(), 2).get(0).environment())
        .containsEntry("OMP_NUM_THREADS", "1");
    assertThat(Slot.listOf("cpu", Map.of("OMP_NUM_THREADS", "4"), 8).get(0).environment())
        .isEmpty();
  }
}
