package org.lengthwise;

import static org.assertj.core.api.Assertions.assertThat;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.lengthwise.kernel.EngineMemory;

/**
 * Which code of a training step copies numbers between Java and a device. On a GPU each such copy
 * waits for all earlier work of the device.
 */
class DeviceTrafficTest {
  private static final Pattern OF_A_STEP =
      Pattern.compile(
          "org\\.lengthwise\\.(positional(\\..*)?|kernel|model|task|training\\.(replica|optimizer))");

  private static final Pattern READS =
      Pattern.compile(
          "to(Array|ByteBuffer|(Boolean|Byte|Uint8|Int|Long|Float|Double|String)Array)"
              + "|get(Boolean|Byte|Uint8|Int|Long|Float|Double|String)|contentEquals|allClose");

  private static final Pattern LAMBDA = Pattern.compile("lambda\\$(\\w+)\\$\\d+");

  /** The methods that call a method, without the numbers of lambda expressions. */
  private static Set<String> callers(Predicate<JavaMethodCall> isWanted) {
    Set<String> callers = new TreeSet<>();
    DependencyRulesTest.CLASSES.stream()
        .filter(type -> OF_A_STEP.matcher(type.getPackageName()).matches())
        .flatMap(type -> type.getMethodCallsFromSelf().stream())
        .filter(isWanted)
        .forEach(
            call -> {
              Matcher lambda = LAMBDA.matcher(call.getOrigin().getName());
              callers.add(
                  "%s.%s"
                      .formatted(
                          call.getOriginOwner().getSimpleName(),
                          lambda.matches() ? lambda.group(1) : call.getOrigin().getName()));
            });
    return callers;
  }

  private static Set<String> readers() {
    return callers(
        call ->
            call.getTargetOwner().isAssignableTo(NDArray.class)
                && READS.matcher(call.getName()).matches());
  }

  private static Set<String> writers() {
    return callers(
        call ->
            switch (call.getName()) {
              case "create" -> call.getTargetOwner().isAssignableTo(NDManager.class);
              case "tensor" -> call.getTargetOwner().isEquivalentTo(EngineMemory.class);
              default -> false;
            });
  }

  @Test
  void aStepReadsItsLossesAndItsNormInOnePlace() {
    assertThat(readers())
        .containsExactlyInAnyOrder(
            "ReplicaGroup.read",
            // only with task.attention: the tokens whose selectors it runs
            "AttentionSupervision.loss",
            // before the first step on a GPU: waits for the kernel that is timed
            "Use.milliseconds",
            "Use.input",
            "Use.difference",
            // several GPUs: waits for a bucket of gradients
            "ReplicaKernels.unflatten",
            // before a checkpoint, and in a validation
            "ReplicaGroup.isEqual",
            "LanguageModelling.score",
            "Recall.predicted",
            "Recall.score",
            "StringClassification.score");
  }

  @Test
  void aStepCopiesItsSamplesToTheDeviceAndNothingElse() {
    assertThat(writers())
        .containsExactlyInAnyOrder(
            "Samples.on",
            // only with documents: within, with dropout, or with task.attention
            "Documents.on",
            "Dropout.next",
            "AttentionSupervision.meanSquare",
            // only with states: carried, the streams of a pass; the states of all at the beginning
            "LayerStates.at",
            "LayerStates.of",
            // the T positions of a scheme that draws them
            "AttentionKernels.select",
            // kept by the kernels until a pass has another shape
            "PositionEmbedding.sinusoids",
            "RotaryTable.of",
            "TableInputs.tensor",
            "WindowAttention.bias",
            "ContentAttention.sines",
            "Factors.tensor",
            // arguments of kernels, on the CPU
            "EngineMemory.scalar",
            "EngineMemory.tensor",
            "KernelModule.marker",
            "KernelModule.scalar",
            // in the first step, and from a checkpoint
            "AdamW.count",
            "AdamW.restore",
            "Weights.put",
            "Weights.matrix",
            // a text that is read on
            "CachedText.embed",
            "CachedText.store",
            "BlockRecurrentText.read",
            "LinearText.read",
            "StaircaseText.read");
  }
}
