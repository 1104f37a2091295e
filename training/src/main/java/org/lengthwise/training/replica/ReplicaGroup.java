package org.lengthwise.training.replica;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.jni.JniUtils;
import ai.djl.training.GradientCollector;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.lengthwise.positional.kernel.EngineMemory;
import org.lengthwise.training.checkpoint.Checkpoint;
import org.lengthwise.training.checkpoint.RunDescription;
import org.lengthwise.training.data.Batch;
import org.lengthwise.training.data.Sequences;

/**
 * The replicas of a run, which take equal shares of every batch and make the same updates. Each has
 * a thread of its own.
 *
 * <p>Implementation note: the engine allows one gradient collector at a time in the whole process,
 * so one is opened around the passes of all threads.
 */
public final class ReplicaGroup implements AutoCloseable {
  private final OpenResources resources = new OpenResources();
  private final List<Replica> replicas = new ArrayList<>();
  private final GradientExchange exchange;
  private final ReplicaThreads threads;

  /**
   * Copies of a model at the beginning of a run, or at one of its checkpoints.
   *
   * @param run what is trained
   * @param from the checkpoint to go on from, or null to begin
   * @param devices where the copies live; one device may hold several
   * @throws IOException if the checkpoint cannot be read
   */
  public ReplicaGroup(RunDescription run, @Nullable Checkpoint from, List<Device> devices)
      throws IOException {
    try {
      for (Device device : devices) {
        Replica replica = new Replica(run, from, device);
        replicas.add(resources.add(replica, replica::close));
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

  /**
   * The replica that stands for all of them in checkpoints.
   *
   * @return the first one
   */
  public Replica first() {
    return replicas.get(0);
  }

  /**
   * How many replicas there are.
   *
   * @return their number, at least 1
   */
  public int size() {
    return replicas.size();
  }

  Replica replica(int index) {
    return replicas.get(index);
  }

  /**
   * Runs a batch forward and backward, each replica its share.
   *
   * @param micros the batch's micro-batches, a multiple of the number of replicas
   * @return the mean loss in nats; the gradients of its share stay with each replica
   */
  public double accumulate(List<Sequences> micros) {
    int share = micros.size() / replicas.size();
    try (GradientCollector collector = Engine.getEngine("PyTorch").newGradientCollector()) {
      List<Double> sums =
          onEach(
              (replica, index) -> {
                int first = index * share;
                return accumulate(replica, micros.subList(first, first + share), collector);
              });
      return sums.stream().mapToDouble(Double::doubleValue).sum() / micros.size();
    }
  }

  private static double accumulate(
      Replica replica, List<Sequences> micros, GradientCollector collector) {
    double sum = 0;
    JniUtils.setGradMode(true);
    try {
      for (Sequences micro : micros) {
        try (NDManager pass = replica.manager().newSubManager()) {
          Batch batch = micro.on(pass);
          NDArray loss = replica.decoder().loss(batch.tokens_BT(), batch.targets_BT());
          collector.backward(loss.div(EngineMemory.scalar(pass, micros.size())));
          sum += loss.getFloat();
        }
      }
    } finally {
      JniUtils.setGradMode(false);
    }
    return sum;
  }

  /** Gives every replica the mean of all gradients. */
  public void exchange() {
    if (replicas.size() == 1) {
      return;
    }
    List<List<NDArray>> gradients = new ArrayList<>();
    try {
      for (Replica replica : replicas) {
        List<NDArray> own = new ArrayList<>();
        gradients.add(own);
        replica.weights().tensors().values().forEach(weight -> own.add(weight.getGradient()));
      }
      exchange.average(gradients);
    } finally {
      gradients.forEach(own -> own.forEach(NDArray::close));
    }
  }

  /**
   * Clips the gradients of every replica by their global norm.
   *
   * @return the norm before clipping, the same on all of them
   */
  public float clip() {
    return onEach((replica, index) -> replica.optimizer().clip()).get(0);
  }

  /**
   * Makes the same update on every replica.
   *
   * @param step how many updates this one makes, from 1
   * @param rate the learning rate
   */
  public void update(long step, double rate) {
    onEach(
        (replica, index) -> {
          replica.optimizer().update(step, rate);
          return index;
        });
  }

  /**
   * Compares the weights and the optimisers' moments of all replicas.
   *
   * @throws ReplicaDriftException if two differ
   */
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
            throw new ReplicaDriftException(index, name);
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

  /**
   * What is done on each replica.
   *
   * @param <T> its result
   */
  @FunctionalInterface
  public interface Work<T> {

    /**
     * Does it on one of them.
     *
     * @param replica the replica
     * @param index its number, from 0
     * @return the result
     */
    T on(Replica replica, int index);
  }

  /**
   * Does work on all replicas at once, each on a thread of its own; a single replica needs no other
   * thread. Nothing records gradients there unless it asks for it.
   *
   * @param work what to do
   * @param <T> its result
   * @return the results, in the order of the replicas
   */
  public <T> List<T> onEach(Work<T> work) {
    return threads.onEach(index -> work.on(replicas.get(index), index));
  }

  @Override
  public void close() {
    resources.close();
  }
}
