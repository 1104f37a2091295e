package org.lengthwise.training.replica;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDArrays;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.training.GradientCollector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;
import org.lengthwise.kernel.EngineMemory;
import org.lengthwise.model.LanguageModel;
import org.lengthwise.model.ModelConfig;
import org.lengthwise.model.Recurrence;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.KernelChoice;
import org.lengthwise.positional.attention.LayerStates;
import org.lengthwise.positional.attention.Numerics;
import org.lengthwise.task.Samples;
import org.lengthwise.task.Task;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.config.LoopConfig;

/**
 * The replicas of a run. They take equal shares of every batch and make the same updates, each on
 * its own thread.
 *
 * <p>Implementation note: the engine allows one gradient collector at a time in a process, so one
 * collector is open around the passes of all threads.
 */
public final class ReplicaGroup implements AutoCloseable {
  /**
   * {@return the number of gradients that are exchanged together: 64 MB in float32 on a CPU, 512 MB
   * on a GPU} A larger tensor is exchanged alone. GPUs wait for each other once for a bucket, so
   * few large buckets are faster there.
   */
  public static long bucket(boolean isGpu) {
    return isGpu ? 1L << 27 : 1L << 24;
  }

  private static final Logger LOG = LogManager.getLogger(ReplicaGroup.class);

  private final OpenResources resources = new OpenResources();
  private final List<Replica> replicas = new ArrayList<>();
  private final List<LayerStates> states = new ArrayList<>();
  private final Task.Loss loss;
  private final TreeExchange exchange;
  private final ReplicaThreads threads;

  /**
   * Copies of a model at the beginning of a run or at one of its checkpoints. One device may hold
   * several copies.
   */
  public ReplicaGroup(
      RunDescription run, Task.Loss loss, @Nullable Checkpoint from, List<Device> devices)
      throws IOException {
    this.loss = loss;
    try {
      Numerics numerics = numerics(run, devices);
      for (Device device : devices) {
        Replica replica = new Replica(run, from, device, numerics);
        replicas.add(resources.add(replica, replica::close));
        if (run.config().training().states() == LoopConfig.States.CARRIED) {
          LayerStates own = states(run, from, replica, devices.size());
          states.add(resources.add(own, own::close));
        }
      }
      ReplicaThreads pool = new ReplicaThreads(devices.size());
      this.threads = resources.add(pool, pool::close);
      TreeExchange tree = new TreeExchange(devices, threads);
      this.exchange = resources.add(tree, tree::close);
    } catch (IOException | RuntimeException e) {
      resources.close();
      throw e;
    }
  }

  /** The states of the streams of a replica, whose earlier replicas have theirs already. */
  private LayerStates states(
      RunDescription run, @Nullable Checkpoint from, Replica replica, int numReplicas)
      throws IOException {
    int share = run.config().training().batch() / numReplicas;
    int place = states.size();
    Map<String, float[]> stored = from == null ? Map.of() : from.states();
    return LayerStates.of(
        replica.manager(),
        share,
        run.model().states(),
        (name, size) ->
            stored.isEmpty()
                ? new float[size]
                : Arrays.copyOfRange(stored.get(name), place * size, (place + 1) * size));
  }

  /** How all replicas compute. The first device decides. */
  private static Numerics numerics(RunDescription run, List<Device> devices) {
    LoopConfig loop = run.config().training();
    ModelConfig model = run.model();
    Attention.Pass pass =
        new Attention.Pass(
            model.heads(),
            model.headWidth(),
            model.rowLength(loop.length()),
            model.form().causal());
    KernelChoice.Use use =
        new KernelChoice.Use(
            model.position(),
            pass,
            loop.microBatch(devices.size()),
            hasOneLength(run),
            loop.numerics(),
            devices.get(0));
    KernelChoice choice = KernelChoice.of(loop.attention(), use);
    choice
        .reason()
        .ifPresent(
            reason ->
                LOG.info("{}, T = {}: a {}", model.position().label(), loop.length(), reason));
    return loop.numerics().withCudnn(choice.cudnn());
  }

  /** Whether all passes have rows of T positions. */
  private static boolean hasOneLength(RunDescription run) {
    LoopConfig loop = run.config().training();
    return run.config().task() == null
        && loop.documents() == LoopConfig.Documents.CROSS
        && run.model().recurrence().equals(Recurrence.none());
  }

  /** {@return the states of the streams of each replica; empty if nothing is carried} */
  public List<LayerStates> states() {
    return List.copyOf(states);
  }

  /** {@return the replica whose tensors checkpoints store} */
  public Replica first() {
    return replicas.get(0);
  }

  public int size() {
    return replicas.size();
  }

  Replica replica(int index) {
    return replicas.get(index);
  }

  public interface StepObserver {

    /** Checks the loss after the backward pass and the exchange, before the weights change. */
    default Optional<String> objection(double loss) {
      return Optional.empty();
    }

    /** Runs the exchange of gradients between replicas, and may time it. */
    default void exchange(Runnable exchange) {
      exchange.run();
    }
  }

  /** The result of a step; the weights were not updated if there is an objection. */
  public record StepResult(double loss, float gradientNorm, Optional<String> objection) {}

  /**
   * Runs one training step: forward and backward passes, exchange of gradients, clipping, update.
   *
   * @param micros the batch's micro-batches, a multiple of the number of replicas
   */
  public StepResult step(List<Samples> micros, long number, double rate, StepObserver observer) {
    StepResult result = gradients(micros, number, observer);
    Optional<String> objection = observer.objection(result.loss());
    if (objection.isEmpty() && !Float.isFinite(result.gradientNorm())) {
      objection = Optional.of("the gradient norm is " + result.gradientNorm());
    }
    if (objection.isPresent()) {
      return new StepResult(result.loss(), result.gradientNorm(), objection);
    }
    onEach(
        (replica, index) -> {
          replica.update(number, rate);
          return index;
        });
    return result;
  }

  /**
   * Computes and clips the gradients of a batch. A replica reads its losses and the norm together,
   * at the end, so that the device waits once for them.
   */
  private StepResult gradients(List<Samples> micros, long number, StepObserver observer) {
    int share = micros.size() / replicas.size();
    double numTargets = micros.stream().mapToLong(Samples::numTargets).average().orElseThrow();
    List<NDList> losses = new ArrayList<>();
    try {
      replicas.forEach(replica -> losses.add(new NDList(share + 1)));
      try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
        onEach(
            (replica, index) -> {
              List<Samples> own = micros.subList(index * share, (index + 1) * share);
              long firstRow = (long) index * share * micros.get(0).count();
              Optional<LayerStates> kept =
                  states.isEmpty() ? Optional.empty() : Optional.of(states.get(index));
              accumulate(
                  replica, kept, number, firstRow, own, numTargets, collector, losses.get(index));
              return index;
            });
      }
      observer.exchange(this::exchange);
      List<float[]> numbers =
          onEach((replica, index) -> read(losses.get(index), replica.optimizer().clip()));
      double sum = 0;
      for (float[] own : numbers) {
        double ofReplica = 0;
        for (int i = 0; i < share; i++) {
          ofReplica += own[i];
        }
        sum += ofReplica;
      }
      return new StepResult(sum / micros.size(), numbers.get(0)[share], Optional.empty());
    } finally {
      losses.forEach(NDList::close);
    }
  }

  /**
   * Adds the mean gradients and the mean losses of a replica's micro-batches, each with the weight
   * of its share of the targets.
   */
  private void accumulate(
      Replica replica,
      Optional<LayerStates> kept,
      long step,
      long firstRow,
      List<Samples> micros,
      double numTargets,
      GradientCollector collector,
      NDList losses) {
    JniUtils.setGradMode(true);
    try {
      for (int i = 0; i < micros.size(); i++) {
        Samples micro = micros.get(i);
        LanguageModel model = replica.model(step, firstRow + (long) i * micro.count());
        try (NDManager pass = replica.manager().newSubManager()) {
          NDArray mean = loss.of(model, micro.on(pass, kept, i * micro.count()));
          if (micro.numTargets() != numTargets) {
            mean = mean.mul(EngineMemory.scalar(pass, (float) (micro.numTargets() / numTargets)));
          }
          collector.backward(mean.div(EngineMemory.scalar(pass, micros.size())));
          NDArray value = mean.stopGradient();
          value.attach(replica.manager());
          losses.add(value);
        }
      }
    } finally {
      JniUtils.setGradMode(false);
    }
  }

  /** The numbers of some scalars, in one copy from the device. */
  private static float[] read(NDList scalars, NDArray last) {
    scalars.add(last);
    try (NDArray all = NDArrays.stack(scalars)) {
      return all.toFloatArray();
    }
  }

  /** Replaces every replica's gradients by their mean. */
  private void exchange() {
    if (replicas.size() == 1) {
      return;
    }
    List<List<NDArray>> gradients = new ArrayList<>();
    try {
      for (Replica replica : replicas) {
        gradients.add(replica.optimizer().gradients());
      }
      exchange.average(gradients);
    } finally {
      gradients.forEach(own -> own.forEach(NDArray::close));
    }
  }

  /** Compares the weights and the moments of all replicas, bit by bit. */
  public void requireInStep() {
    for (int index = 1; index < replicas.size(); index++) {
      Replica other = replica(index);
      requireEqual(first().weights().tensors(), other.weights().tensors(), index);
      requireEqual(first().optimizer().moments(), other.optimizer().moments(), index);
    }
  }

  private static void requireEqual(
      Map<String, NDArray> expected, Map<String, NDArray> found, int index) {
    expected.forEach(
        (name, tensor) -> {
          if (!isEqual(tensor, Objects.requireNonNull(found.get(name)))) {
            throw new IllegalStateException(
                "%s of replica %s differs from replica 0; no checkpoint was written: resume from the"
                        .formatted(name, index)
                    + " last one with --resume");
          }
        });
  }

  private static boolean isEqual(NDArray expected, NDArray found) {
    NDArray here = found.toDevice(expected.getDevice(), false);
    try {
      return expected.contentEquals(here);
    } finally {
      if (here != found) {
        here.close();
      }
    }
  }

  /** A computation on one replica, by its number from 0. */
  @FunctionalInterface
  public interface PerReplica<T> {

    T on(Replica replica, int index);
  }

  /**
   * Runs a computation on all replicas in parallel, each on its own thread. A single replica runs
   * on the caller's thread. Gradients are off there unless the computation turns them on.
   */
  public <T> List<T> onEach(PerReplica<T> computation) {
    return threads.onEach(index -> computation.on(replicas.get(index), index));
  }

  @Override
  public void close() {
    resources.close();
  }
}
