package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged folder and the launcher script, as a user runs them. */
class LauncherIT {
  private static final Path PACKAGED = Path.of("target/lengthwise").toAbsolutePath();
  private static final Path IN_REPOSITORY = Path.of("../scripts/lengthwise").toAbsolutePath();

  /** Prints the variables that a launched program sees. */
  private static final String VARIABLES =
      "path=${PYTORCH_LIBRARY_PATH-} flavor=${PYTORCH_FLAVOR-} loader=${LD_LIBRARY_PATH-}"
          + " allocator=${PYTORCH_CUDA_ALLOC_CONF-}";

  private record Outcome(int code, String output) {}

  private final Path temporary;

  LauncherIT(@TempDir Path temporary) {
    this.temporary = temporary;
  }

  private Outcome run(Path script, Map<String, String> environment, String... arguments)
      throws Exception {
    ProcessBuilder builder =
        new ProcessBuilder(
                Stream.concat(Stream.of(script.toString()), Stream.of(arguments)).toList())
            .directory(temporary.toFile())
            .redirectErrorStream(true);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().putAll(environment);
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Outcome(process.exitValue(), output);
  }

  @Test
  void runsFromThePackagedFolderAndFromTheRepository() throws Exception {
    for (Path script : List.of(PACKAGED.resolve("scripts/lengthwise"), IN_REPOSITORY)) {
      Outcome outcome = run(script, Map.of(), "--version");
      assertThat(outcome.code()).as(outcome.output()).isZero();
      assertThat(outcome.output()).startsWith("lengthwise 0.").doesNotContain("WARN");
    }
  }

  @Test
  void followsSymbolicLinksAndPassesExitCodesOn() throws Exception {
    Path link = Files.createSymbolicLink(temporary.resolve("first"), IN_REPOSITORY);
    Path relative = Files.createSymbolicLink(temporary.resolve("second"), link.getFileName());
    assertThat(run(relative, Map.of(), "--version").code()).isZero();
    assertThat(run(relative, Map.of(), "no-such-command").code()).isEqualTo(2);
  }

  @Test
  void theUsersOptionsOverrideTheDefaults() throws Exception {
    Outcome outcome =
        run(IN_REPOSITORY, Map.of("LENGTHWISE_OPTS", "-Xmx64m -Xlog:gc+init"), "--version");
    assertThat(outcome.output()).contains("Heap Max Capacity: 64M");
  }

  /** A shell passes the bytes of its script, in whatever locale it runs. */
  @Test
  void argumentsAreUtf8InEveryLocale() throws Exception {
    Path program = Files.writeString(temporary.resolve("program.rasp"), "same = tokens;");
    Path script = temporary.resolve("script");
    executable(script, IN_REPOSITORY + " rasp " + program + " --s-op same --input '§a'");
    assertThat(run(script, Map.of("LC_ALL", "C"), "").output()).startsWith("same(\"§a\") = [§, a]");
  }

  @Test
  void withoutABuildItSaysWhichCommandToRun() throws Exception {
    Path scripts = Files.createDirectories(temporary.resolve("clone/scripts"));
    Files.createFile(temporary.resolve("clone/mvnw"));
    Path script = Files.copy(IN_REPOSITORY, scripts.resolve("lengthwise"));
    Outcome outcome = run(script, Map.of(), "--version");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.output()).contains("not built yet", "./mvnw -q package -Dmaven.test.skip");
  }

  @Test
  void aJavaThatIsTooOldOrMissingIsNamed() throws Exception {
    Path old = temporary.resolve("jdk-11");
    executable(old.resolve("bin/java"));
    Files.writeString(old.resolve("release"), "JAVA_VERSION=\"11.0.2\"\n");
    Outcome outcome = run(IN_REPOSITORY, Map.of("JAVA_HOME", old.toString()), "--version");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.output()).contains("Java 11.0.2", "17 or later");
    Outcome missing = run(IN_REPOSITORY, Map.of("JAVA_HOME", temporary + "/nothing"), "--version");
    assertThat(missing.code()).isEqualTo(2);
    assertThat(missing.output()).contains("JAVA_HOME");
  }

  private static void executable(Path file) throws IOException {
    executable(file, "exit 9");
  }

  private static void executable(Path file, String command) throws IOException {
    Files.createDirectories(file.getParent());
    Files.writeString(file, "#!/bin/sh\n" + command + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  @Test
  void needsNoOtherProgramWhereARuntimeIsBundled() throws Exception {
    Path script = bundle();
    Files.createSymbolicLink(temporary.resolve("bundle/lib"), PACKAGED.resolve("lib"));
    Path java = Path.of(System.getProperty("java.home"));
    Files.createSymbolicLink(temporary.resolve("bundle/runtime"), java);
    Map<String, String> nothing = Map.of("PATH", "/nonexistent", "JAVA_HOME", "/nonexistent");
    Outcome outcome = run(script, nothing, "--version");
    assertThat(outcome.code()).as(outcome.output()).isZero();
    assertThat(outcome.output()).startsWith("lengthwise 0.");
  }

  @Test
  void usesTheLibtorchThatIsNamedOrBundled() throws Exception {
    Path script = bundle();
    for (String jar : List.of("a.jar", "pytorch-native-cpu-1.jar")) {
      Files.createFile(Files.createDirectories(temporary.resolve("bundle/lib")).resolve(jar));
    }
    Path runtime = temporary.resolve("bundle/runtime");
    executable(runtime.resolve("bin/java"), "echo \"$@\" " + VARIABLES);
    Files.writeString(runtime.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    Map<String, String> module = Map.of("LD_LIBRARY_PATH", "/cuda");
    assertThat(run(script, module, "train").output())
        .contains("/bundle/lib/* ")
        .endsWith("train path= flavor= loader=/cuda allocator=expandable_segments:True\n");
    assertThat(run(script, Map.of("PYTORCH_FLAVOR", "cu128"), "train").output())
        .contains("/bundle/lib/a.jar ")
        .doesNotContain("pytorch-native-cpu");
    Path natives = Files.createDirectory(temporary.resolve("bundle/natives"));
    assertThat(run(script, module, "train").output())
        .contains("-Djna.library.path=" + natives + " ")
        .contains("train path=" + natives + " flavor=cpu loader= ");
    Files.createFile(natives.resolve("libtorch_cuda.so"));
    assertThat(run(script, module, "train").output())
        .contains("train path=" + natives + " flavor=cu128 loader= ");
    Map<String, String> elsewhere =
        Map.of(
            "PYTORCH_LIBRARY_PATH", "/elsewhere",
            "LD_LIBRARY_PATH", "/cuda",
            "PYTORCH_CUDA_ALLOC_CONF", "backend:native");
    assertThat(run(script, elsewhere, "train").output())
        .endsWith("train path=/elsewhere flavor=cpu loader=/cuda allocator=backend:native\n");
  }

  @Test
  void findsTheCudaRuntimeOfPipsTorch() throws Exception {
    Path packages = temporary.resolve("site-packages");
    Path torch = Files.createDirectories(packages.resolve("torch/lib"));
    for (String wheel : List.of("cuda_runtime", "cu13", "cublas")) {
      Files.createDirectories(packages.resolve("nvidia").resolve(wheel).resolve("lib"));
    }
    Path java = temporary.resolve("jdk");
    executable(java.resolve("bin/java"), "echo \"$@\"");
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    Map<String, String> variables =
        Map.of("JAVA_HOME", java.toString(), "PYTORCH_LIBRARY_PATH", torch.toString());
    String runtime = torch + "/../../nvidia/";
    assertThat(run(IN_REPOSITORY, variables, "train").output())
        .contains("-Djna.library.path=" + torch + ":" + runtime + "cuda_runtime/lib:")
        .contains("lib:" + runtime + "cu13/lib ");
  }

  @Test
  void javaHasTheProcessorsAndAQuarterOfTheMemoryOfASlurmJob() throws Exception {
    Path java = temporary.resolve("jdk");
    executable(java.resolve("bin/java"), "echo \"$@\"");
    Files.writeString(java.resolve("release"), "JAVA_VERSION=\"17.0.1\"\n");
    Map<String, String> job =
        Map.of(
            "JAVA_HOME", java.toString(),
            "SLURM_CPUS_PER_TASK", "3",
            "SLURM_CPUS_ON_NODE", "8",
            "SLURM_MEM_PER_NODE", "2000");
    assertThat(run(IN_REPOSITORY, job, "train").output())
        .contains(" -Xmx500m -XX:ActiveProcessorCount=3 ");
    Map<String, String> large = Map.of("JAVA_HOME", java.toString(), "SLURM_MEM_PER_NODE", "64000");
    assertThat(run(IN_REPOSITORY, large, "train").output())
        .contains(" -Xmx1024m ")
        .doesNotContain("ActiveProcessorCount");
  }

  private Path bundle() throws IOException {
    Path scripts = Files.createDirectories(temporary.resolve("bundle/scripts"));
    return Files.copy(IN_REPOSITORY, scripts.resolve("lengthwise"));
  }

  @Test
  void nativesForCudaAreRefusedOnAnotherProcessorBeforeTheDownload() throws Exception {
    Path programs = temporary.resolve("programs");
    executable(programs.resolve("uname"), "[ $1 = -s ] && echo Linux || echo aarch64");
    String path = programs + ":" + System.getenv("PATH");
    Path script = IN_REPOSITORY.resolveSibling("natives.sh");
    Outcome outcome = run(script, Map.of("PATH", path), "cu128", temporary + "/natives");
    assertThat(outcome.code()).isEqualTo(2);
    assertThat(outcome.output()).contains("expected a machine with x86_64, found aarch64");
    assertThat(temporary.toFile().list()).containsExactly("programs");
  }

  @Test
  void classesComeFromTheArchiveOfTheBuild() throws Exception {
    Map<String, String> log = Map.of("LENGTHWISE_OPTS", "-Xlog:class+load");
    Outcome outcome = run(IN_REPOSITORY, log, "states");
    assertThat(outcome.code()).as(outcome.output()).isEqualTo(2);
    assertThat(outcome.output()).contains("source: shared objects file (top)");
  }

  @Test
  void anArchiveThatDoesNotFitIsIgnoredInSilence() throws Exception {
    Path script = bundle();
    Files.createSymbolicLink(temporary.resolve("bundle/lib"), PACKAGED.resolve("lib"));
    drawsAString("no archive", script, Map.of());
    byte[] archive = Files.readAllBytes(PACKAGED.resolve("classes.jsa"));
    Path copy = Files.write(temporary.resolve("bundle/classes.jsa"), archive);
    drawsAString("another folder", script, Map.of());
    Arrays.fill(archive, archive.length / 4, archive.length / 2, (byte) 1);
    Files.write(copy, archive);
    drawsAString("damaged content", script, Map.of());
    Arrays.fill(archive, 0, 1000, (byte) 1);
    Files.write(copy, archive);
    drawsAString("damaged header", script, Map.of());
    Files.write(copy, new byte[0]);
    drawsAString("empty", script, Map.of());

    drawsAString("Hadoop", IN_REPOSITORY, Map.of("HADOOP_CONF_DIR", "/conf"));
    drawsAString("GPU", IN_REPOSITORY, Map.of("PYTORCH_FLAVOR", "cu128"));
    drawsAString("heap", IN_REPOSITORY, Map.of("LENGTHWISE_OPTS", "-Xmx40g"));
    drawsAString("collector", IN_REPOSITORY, Map.of("LENGTHWISE_OPTS", "-XX:+UseZGC"));
  }

  @Test
  void anotherJvmIgnoresTheArchiveInSilence() throws Exception {
    List<Path> others = otherJavas();
    assumeThat(others).as("another JDK beside " + System.getProperty("java.home")).isNotEmpty();
    for (Path java : others) {
      drawsAString("another JVM", IN_REPOSITORY, Map.of("JAVA_HOME", java.toString()));
    }
  }

  private void drawsAString(String why, Path script, Map<String, String> environment)
      throws Exception {
    String draw = "task --name parity_check --length 3 --count 1 --seed 1 --json";
    Outcome outcome = run(script, environment, draw.split(" "));
    assertThat(outcome.output()).as(why).matches("\\{\"ids\":\\[.*],\"label\":[01]}\\R");
  }

  /** The JDKs from 17 on in the folder of the one that runs the tests. */
  private static List<Path> otherJavas() throws IOException {
    Path java = Path.of(System.getProperty("java.home"));
    try (Stream<Path> folders = Files.list(java.getParent())) {
      return folders
          .filter(folder -> !folder.equals(java) && Files.exists(folder.resolve("bin/java")))
          .filter(folder -> folder.getFileName().toString().matches(".*\\b(17|2\\d)\\b.*"))
          .toList();
    }
  }

  @Test
  void thePackageHasEveryJarOnce() throws Exception {
    try (Stream<Path> jars = Files.list(PACKAGED.resolve("lib"))) {
      assertThat(jars.map(jar -> jar.getFileName().toString().replaceAll("-\\d.*", "")))
          .doesNotHaveDuplicates()
          .contains("lengthwise-eval", "lengthwise-data-prep", "log4j-core")
          .doesNotContain("junit-jupiter", "assertj-core");
    }
  }
}
