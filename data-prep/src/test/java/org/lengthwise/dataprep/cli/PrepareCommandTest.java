package org.lengthwise.dataprep.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.error.ConfigException;
import picocli.CommandLine;

class PrepareCommandTest {

  private final Path folder;
  private final StringWriter out = new StringWriter();
  private final List<Exception> failures = new ArrayList<>();

  PrepareCommandTest(@TempDir Path folder) {
    this.folder = folder;
  }

  @Test
  void itPreparesWithTheShippedSettingsAndPrintsASummary() throws IOException {
    int code = run("--set", "reject_limit=3");
    assertThat(failures).isEmpty();
    assertThat(code).isZero();
    assertThat(out.toString())
        .contains("2 documents", "21 tokens", "1.00 bytes per token", "0 records rejected");
    Manifest manifest = Manifest.read(folder.resolve("out"));
    assertThat(manifest.settings().get("reject_limit").intValue()).isEqualTo(3);
    assertThat(manifest.settings().get("split").get("test").doubleValue()).isEqualTo(0.02);
    assertThat(manifest.tokenizer().name()).isEqualTo("bytes");
  }

  @Test
  void aSecondRunSaysThatTheOutputIsFinished() throws IOException {
    run();
    assertThat(run()).isZero();
    assertThat(out.toString()).contains("is already finished: nothing to do");
  }

  @Test
  void aWrongSettingOrThreadCountIsAMistakeOfTheCommand() throws IOException {
    run("--set", "reject_limits=3");
    run("--set", "split.train=0.5");
    run("--threads", "0");
    assertThat(failures).hasSize(3).allMatch(ConfigException.class::isInstance);
    assertThat(failures.get(0)).hasMessageContaining("reject_limit");
    assertThat(failures.get(1)).hasMessageContaining("sum to 1");
    assertThat(failures.get(2)).hasMessageContaining("--threads");
  }

  @Test
  void aTextColumnIsASetting() throws IOException {
    Path records = Files.writeString(folder.resolve("c.jsonl"), "{\"a\":{\"it's\":\"x\"}}\n");
    assertThat(run("--input", records.toString(), "--text-column", "a.it's")).isZero();
    assertThat(out.toString()).contains("3 documents");
    assertThat(Manifest.read(folder.resolve("out")).settings().get("text_column").textValue())
        .isEqualTo("a.it's");
  }

  @Test
  void idsOfATokenFileAreStored() throws IOException {
    Path ids = Files.write(folder.resolve("ids.bin"), new byte[] {65, 0, 0, 1, 66, 0});
    String[] tokens = {"--input", ids.toString(), "--exclude", "*.txt", "--tokens", "nanogpt"};
    assertThat(run(tokens)).isZero();
    assertThat(out.toString()).contains("2 documents, 4 tokens, 1.00 bytes per token");
    assertThat(Manifest.read(folder.resolve("out")).settings().get("tokens").toString())
        .contains("\"format\":\"nanogpt\"", "\"end_of_text\":256");
    run("--input", ids.toString(), "--tokens", "nanogtp");
    run("--input", ids.toString(), "--tokens", "megatron", "--engine", "mapreduce");
    run("--input", ids.toString());
    assertThat(failures).hasSize(3);
    assertThat(failures.get(0)).hasMessageContaining("did you mean `nanogpt`?");
    assertThat(failures.get(1)).hasMessageContaining("--tokens");
    assertThat(failures.get(2)).hasMessageContaining("add --tokens nanogpt");
  }

  private int run(String... more) throws IOException {
    Path first = Files.writeString(folder.resolve("a.txt"), "first text");
    Path second = Files.writeString(folder.resolve("b.txt"), "next text");
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("--input", first + "," + second, "--tokenizer", "bytes"));
    arguments.addAll(List.of("--output", folder.resolve("out").toString()));
    arguments.addAll(List.of("--config", "../conf/prepare.yaml"));
    arguments.addAll(List.of(more));
    CommandLine command = new CommandLine(new PrepareCommand());
    command.setOut(new PrintWriter(out, true));
    command.setExecutionExceptionHandler(
        (exception, line, parsed) -> {
          failures.add(exception);
          return 1;
        });
    return command.execute(arguments.toArray(String[]::new));
  }
}
