package org.lengthwise.kernel;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDList;
import ai.djl.ndarray.NDManager;
import ai.djl.pytorch.engine.PtNDManager;
import ai.djl.pytorch.engine.PtSymbolBlock;
import ai.djl.pytorch.jni.IValue;
import ai.djl.pytorch.jni.IValueUtils;
import ai.djl.pytorch.jni.JniUtils;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The loaded kernels of one source file, ready to run on one device.
 *
 * <p>Implementation note: the engine takes the name of the method to run from a tensor whose name
 * begins with {@code module_method:}, and it takes numbers as scalar tensors on the CPU. Both kinds
 * of tensors are cached. Methods may run on several threads at the same time.
 *
 * <p>TorchScript needs a tenth of a second to compile a source. A compiled source has no tensors
 * and never changes, so all modules of a process share it, as objects share their class. Sources
 * that are generated for one model are closed with their module.
 */
public final class KernelModule implements AutoCloseable {
  private static final String ENGINE = "PyTorch";
  private static final Map<Program, PtSymbolBlock> COMPILED = new ConcurrentHashMap<>();

  private final NDManager manager;
  private final PtSymbolBlock block;
  private final boolean isOptimized;
  private final boolean isShared;
  private final boolean hasGradient;
  private final Map<String, NDArray> methods;
  private final Map<Number, NDArray> scalars;

  private KernelModule(
      NDManager manager, PtSymbolBlock block, boolean isOptimized, boolean isShared) {
    this.manager = manager;
    this.block = block;
    this.isOptimized = isOptimized;
    this.isShared = isShared;
    this.hasGradient = false;
    this.methods = new ConcurrentHashMap<>();
    this.scalars = new ConcurrentHashMap<>();
  }

  private KernelModule(KernelModule other) {
    this.manager = other.manager;
    this.block = other.block;
    this.isOptimized = other.isOptimized;
    this.isShared = other.isShared;
    this.hasGradient = true;
    this.methods = other.methods;
    this.scalars = other.scalars;
  }

  /**
   * {@return these kernels with a graph of each result for a backward pass} Both share everything,
   * so only one of them is closed.
   */
  public KernelModule withGradient() {
    return hasGradient ? this : new KernelModule(this);
  }

  /** {@return whether results have a graph for a backward pass} */
  public boolean hasGradient() {
    return hasGradient;
  }

  /** What decides a compiled source; its optimized form depends on the runs before. */
  private record Program(String source, Device device, Target target, boolean isOptimized) {}

  /**
   * Loads the kernels of a resource, with products in float32. TorchScript does not rewrite them.
   *
   * @return the module, to be closed by the caller
   * @throws UncheckedIOException if the resource cannot be read or packed
   */
  public static KernelModule load(Class<?> owner, String resource, Device device) {
    return load(source(owner, resource), device, Target.of(device), false);
  }

  /**
   * Loads kernels of which a process has few.
   *
   * @param source the methods, indented as those of a class; see {@link #source}
   * @param target what the kernels know about the device
   * @param isOptimized whether TorchScript's graph optimizer may rewrite the kernels after some
   *     runs. This helps a large program whose inputs always have the same shapes
   * @return the module, to be closed by the caller
   * @throws UncheckedIOException if the source cannot be packed
   */
  public static KernelModule load(
      String source, Device device, Target target, boolean isOptimized) {
    Program program = new Program(source, device, target, isOptimized);
    PtSymbolBlock block =
        COMPILED.computeIfAbsent(
            program, key -> compile(NDManager.newBaseManager(device, ENGINE), key));
    return new KernelModule(NDManager.newBaseManager(device, ENGINE), block, isOptimized, true);
  }

  /**
   * Loads kernels that are generated for one model. They are freed with their module.
   *
   * @param source the methods, indented as those of a class; see {@link #source}
   * @param target what the kernels know about the device
   * @return the module, to be closed by the caller
   * @throws UncheckedIOException if the source cannot be packed
   */
  public static KernelModule loadAlone(String source, Device device, Target target) {
    NDManager manager = NDManager.newBaseManager(device, ENGINE);
    Program program = new Program(source, device, target, false);
    return new KernelModule(manager, compile(manager, program), false, false);
  }

  /** Compiles a source. If that fails, the manager is closed. */
  private static PtSymbolBlock compile(NDManager manager, Program program) {
    try {
      Path archive = Files.createTempFile("kernels", ".pt");
      try {
        Files.write(archive, TorchScriptArchive.pack(program.source(), program.target()));
        return JniUtils.loadModule(
            (PtNDManager) manager, archive, false, new String[0], new String[0], true);
      } finally {
        Files.deleteIfExists(archive);
      }
    } catch (IOException e) {
      manager.close();
      throw new UncheckedIOException(e);
    } catch (RuntimeException e) {
      manager.close();
      throw e;
    }
  }

  /** {@return the line of an error's message that names the cause, which TorchScript has last} */
  public static String cause(RuntimeException error) {
    String message = String.valueOf(error.getMessage());
    String line =
        Stream.concat(message.lines().filter(each -> each.contains("Error: ")), message.lines())
            .findFirst()
            .orElse(message);
    return line.substring(0, Math.min(line.length(), 200));
  }

  /**
   * {@return the text of a resource}
   *
   * @throws UncheckedIOException if it cannot be read
   */
  public static String source(Class<?> owner, String resource) {
    try (InputStream stream = owner.getResourceAsStream(resource)) {
      if (stream == null) {
        throw new IOException(
            "no kernel source " + resource + " in the package of " + owner.getName());
      }
      return new String(stream.readAllBytes(), StandardCharsets.UTF_8) + '\n';
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * What kernels may know about the place where they run. They read it as {@code self.gpu}, {@code
   * self.libtorch}, {@code self.bf16} and {@code self.cudnn}.
   *
   * @param isGpu whether memory layouts are those that a GPU needs. They are also valid on a CPU
   * @param libtorch the release of libtorch, 20701 for 2.7.1
   * @param isBf16 whether products run in bfloat16
   * @param isCudnn whether attention in training is cuDNN's where it has all gradients
   */
  public record Target(boolean isGpu, int libtorch, boolean isBf16, boolean isCudnn) {

    public static Target of(Device device) {
      return new Target(
          device.isGpu(), number(Engine.getEngine(ENGINE).getVersion()), false, false);
    }

    /** {@return this target with products in bfloat16 or float32} */
    public Target withBf16(boolean bf16) {
      return new Target(isGpu, libtorch, bf16, isCudnn);
    }

    /** {@return this target with or without cuDNN's attention} */
    public Target withCudnn(boolean cudnn) {
      return new Target(isGpu, libtorch, isBf16, cudnn);
    }

    /** 2.7.1 as 20701; 0 for another form. */
    private static int number(String version) {
      Matcher parts = VERSION.matcher(version);
      return parts.lookingAt()
          ? Integer.parseInt(parts.group(1)) * 10_000
              + Integer.parseInt(parts.group(2)) * 100
              + Integer.parseInt(parts.group(3))
          : 0;
    }

    private static final Pattern VERSION = Pattern.compile("(\\d+)\\.(\\d+)\\.(\\d+)");
  }

  /**
   * Runs a method with one result.
   *
   * @param inputs the arguments in order; see {@link #scalar} for numbers
   * @return the result, owned by the first input's manager
   */
  public NDArray run(String method, NDArray... inputs) {
    return run(method, new NDList(inputs)).singletonOrThrow();
  }

  /**
   * Runs a method.
   *
   * @param inputs the arguments in order; tensors named {@code x[]} form the list argument x
   * @return the results, owned by the first input's manager
   */
  public NDList run(String method, NDList inputs) {
    NDList call = new NDList(inputs.size() + 1);
    call.addAll(inputs);
    call.add(methods.computeIfAbsent(method, this::marker));
    JniUtils.setGraphExecutorOptimize(isOptimized); // thread-local, so each thread sets it
    return IValueUtils.forward(block, call, hasGradient);
  }

  /**
   * Runs a method on lists and numbers, without gradients. The method may update tensors in place.
   *
   * @param inputs the arguments in order; they are closed
   * @return the result, to be closed by the caller
   */
  public IValue call(String method, IValue... inputs) {
    JniUtils.setGraphExecutorOptimize(isOptimized);
    try {
      return IValueUtils.runMethod(block, method, inputs);
    } finally {
      for (IValue input : inputs) {
        input.close();
      }
    }
  }

  /** {@return a whole number as an argument, a scalar on the CPU, owned by this module} */
  public NDArray scalar(long value) {
    return scalars.computeIfAbsent(value, v -> onCpu().create((long) v));
  }

  /** {@return a number as an argument, a scalar on the CPU, owned by this module} */
  public NDArray scalar(double value) {
    return scalars.computeIfAbsent(value, v -> onCpu().create((double) v));
  }

  /** {@return a flag as an argument, 1 or 0 as a scalar on the CPU, owned by this module} */
  public NDArray scalar(boolean value) {
    return scalar(value ? 1L : 0L);
  }

  public Device device() {
    return manager.getDevice();
  }

  private NDArray marker(String method) {
    NDArray marker = onCpu().create(0L);
    marker.setName("module_method:" + method);
    return marker;
  }

  private NDManager onCpu() {
    return manager.getDevice().isGpu() ? manager.newSubManager(Device.cpu()) : manager;
  }

  @Override
  public void close() {
    if (!isShared) {
      block.close();
    }
    manager.close();
  }
}
