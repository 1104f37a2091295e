package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * A Slurm cluster on this machine: the controller, and two nodes with one processor and one GPU
 * each. The GPU is the name of a file that every machine has. All its files are in one folder, and
 * closing ends all its processes.
 */
final class SlurmCluster implements AutoCloseable {
  private static final String CONF =
      """
      ClusterName=tiny
      SlurmctldHost=localhost
      SlurmctldPort=%2$s
      SlurmUser=root
      AuthType=auth/munge
      # A job that is queued again starts when its credential has expired.
      AuthInfo=socket=%1$s/munge.socket,cred_expire=5
      StateSaveLocation=%1$s/state
      SlurmctldPidFile=%1$s/slurmctld.pid
      SlurmdPidFile=%1$s/%%n.pid
      SlurmdSpoolDir=%1$s/%%n
      ProctrackType=proctrack/pgid
      TaskPlugin=task/none
      JobAcctGatherType=jobacct_gather/none
      AccountingStorageType=accounting_storage/none
      SwitchType=switch/none
      MpiDefault=none
      SelectType=select/cons_tres
      SelectTypeParameters=CR_Core_Memory
      SchedulerParameters=bf_interval=1,sched_interval=2,sched_min_interval=0,batch_sched_delay=0
      SlurmdParameters=config_overrides
      ReturnToService=2
      GresTypes=gpu
      NodeName=n1 NodeHostname=localhost Port=%3$s CPUs=1 RealMemory=1000 Gres=gpu:1
      NodeName=n2 NodeHostname=localhost Port=%4$s CPUs=1 RealMemory=1000 Gres=gpu:1
      PartitionName=tiny Nodes=n1,n2 Default=YES DefaultTime=10
      """;

  /** The end of a command. */
  record Outcome(int code, String output) {}

  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();

  /** Starts a cluster in a new folder; the test is skipped if the programs are not installed. */
  SlurmCluster(Path folder) throws Exception {
    for (String program : List.of("munged", "slurmctld", "slurmd", "sbatch")) {
      assumeThat(isInstalled(program))
          .as("%s is installed, by apt-get install slurm-wlm munge", program)
          .isTrue();
    }
    assumeThat(System.getProperty("user.name")).as("the user of slurmd").isEqualTo("root");
    this.folder = Files.createDirectories(folder);
    environment.put("SLURM_CONF", folder.resolve("slurm.conf").toString());
    Files.createDirectory(folder.resolve("state"));
    writeKey();
    List<Integer> ports = freePorts(3);
    Files.writeString(
        folder.resolve("slurm.conf"),
        CONF.formatted(folder, ports.get(0), ports.get(1), ports.get(2)));
    Files.writeString(
        folder.resolve("gres.conf"),
        "NodeName=n1 Name=gpu File=/dev/null\nNodeName=n2 Name=gpu File=/dev/zero\n");
    startDaemons();
  }

  private void startDaemons() throws Exception {
    try {
      daemon(
          "munged",
          "--foreground",
          "--force",
          "--key-file=munge.key",
          "--seed-file=munge.seed",
          "--socket=munge.socket",
          "--pid-file=munged.pid",
          "--log-file=munged.log");
      await("munged", () -> Files.exists(folder.resolve("munge.socket")));
      daemon("slurmctld", "-D");
      daemon("slurmd", "-D", "-N", "n1");
      daemon("slurmd", "-D", "-N", "n2");
      await("two idle nodes", () -> call("sinfo", "-h", "-N", "-o", "%T").equals("idle\nidle\n"));
    } catch (Exception | AssertionError e) {
      close();
      throw e;
    }
  }

  private static boolean isInstalled(String program) {
    return Stream.concat(
            Stream.of(String.valueOf(System.getenv("PATH")).split(":")), Stream.of("/usr/sbin"))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  private void writeKey() throws IOException {
    byte[] key = new byte[1024];
    new Random(1).nextBytes(key);
    Path file = Files.write(folder.resolve("munge.key"), key);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("r--------"));
  }

  private static List<Integer> freePorts(int count) throws IOException {
    List<ServerSocket> sockets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sockets.add(new ServerSocket(0));
    }
    List<Integer> ports = sockets.stream().map(ServerSocket::getLocalPort).toList();
    for (ServerSocket socket : sockets) {
      socket.close();
    }
    return ports;
  }

  private void daemon(String... words) throws IOException {
    builder(words)
        .directory(folder.toFile())
        .redirectOutput(folder.resolve(words[0] + words[words.length - 1] + ".out").toFile())
        .start();
  }

  /** A command that sees this cluster, and no number of threads of this test. */
  ProcessBuilder builder(String... words) {
    ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
    builder.environment().remove("OMP_NUM_THREADS");
    builder.environment().merge("PATH", ":/usr/sbin", String::concat);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("LENGTHWISE_OPTS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC");
    builder.environment().putAll(environment);
    return builder;
  }

  /** Runs a command to its end. */
  Outcome run(ProcessBuilder command) {
    try {
      Process process = command.start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new Outcome(process.waitFor(), output);
    } catch (IOException e) {
      throw new AssertionError(String.join(" ", command.command()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** Runs a command of Slurm and returns its output. */
  String call(String... words) {
    return run(builder(words)).output();
  }

  /** Waits until a condition holds. */
  static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(4);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("waited for " + what).isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  /** The processes of this cluster and of its jobs: the cluster's file is in their environment. */
  Stream<ProcessHandle> processes() {
    String mark = "SLURM_CONF=" + environment.get("SLURM_CONF");
    return ProcessHandle.allProcesses().filter(process -> variables(process.pid()).contains(mark));
  }

  static List<String> variables(long pid) {
    try {
      String all =
          Files.readString(Path.of("/proc/" + pid + "/environ"), StandardCharsets.ISO_8859_1);
      return Arrays.asList(all.split("\0"));
    } catch (IOException e) {
      return List.of(); // the process has ended
    }
  }

  /** Kills all processes of the cluster and its jobs, the daemons first. */
  @Override
  public void close() {
    await(
        "the end of all processes",
        () -> {
          List<ProcessHandle> alive = processes().toList();
          alive.forEach(ProcessHandle::destroyForcibly);
          return alive.isEmpty();
        });
  }
}
