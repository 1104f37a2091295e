package org.lengthwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.lengthwise.artifact.BuildInfo;
import org.lengthwise.artifact.Machine;
import org.lengthwise.artifact.Provenance;

class RecipeTest {
  private static final Machine NODE = new Machine("node1", "EPYC", "amd64 avx2", "17.0.1", 4);

  @TempDir private Path folder;

  @Test
  void wordsAreQuotedAndPathsAreBelowTheCurrentFolder() throws IOException {
    Path root = folder.toRealPath();
    Path run = Files.createDirectories(root.resolve("my run"));
    Map<String, List<String>> options = new LinkedHashMap<>();
    options.put("--config", List.of("x.yaml"));
    options.put("--set", List.of("a=$b c", "d='e'"));
    options.put("--data", List.of(root.resolve("gone").toString()));
    options.put("--output", List.of(run.toString()));
    options.put("--verbose", List.of());
    ObjectNode config = JsonNodeFactory.instance.objectNode().put("name", "it's $HOME");
    new Provenance(
            "train",
            root.toString(),
            options,
            Map.of("--config", config),
            Map.of(root.resolve("gone").toString(), "abc"),
            Map.of("LENGTHWISE_OPTS", "-Xmx1g -Da=b"),
            new BuildInfo("1.0", "0123", true),
            List.of(NODE))
        .write(run);

    assertThat(new Recipe(run).script("/opt/my lengthwise"))
        .containsExactly(
            "# Paste into a shell in an empty folder.",
            "LENGTHWISE=${LENGTHWISE:-'/opt/my lengthwise'}",
            "",
            "# " + run,
            "# reads %s, SHA-256 abc: missing here".formatted(root.resolve("gone")),
            "# made by lengthwise 1.0, commit 0123, with uncommitted changes",
            "# on node1, EPYC, threads: 4",
            "\"$LENGTHWISE\" --version | diff /dev/fd/3 - 3<<'EOF'"
                + " || echo 'differs, made by: <, here: >; digits may differ, too'",
            "lengthwise 1.0",
            "commit 0123 with uncommitted changes",
            "java 17.0.1",
            "processor amd64 avx2",
            "EOF",
            "cat > 'my run-config.yaml' <<'EOF'",
            "{",
            "  \"name\" : \"it's $HOME\"",
            "}",
            "EOF",
            "LENGTHWISE_OPTS='-Xmx1g -Da=b' OMP_NUM_THREADS=4 \"$LENGTHWISE\" train \\",
            "  --config 'my run-config.yaml' \\",
            "  --set 'a=$b c' \\",
            "  --set 'd='\\''e'\\''' \\",
            "  --data %s \\".formatted(root.resolve("gone")),
            "  --output 'my run' \\",
            "  --verbose");
  }

  @Test
  void aRecordNamesEveryMachineThatWroteThere() throws IOException {
    Provenance first =
        new Provenance(
            "report",
            "/",
            Map.of(),
            Map.of(),
            Map.of(),
            Map.of(),
            new BuildInfo("1.0", "0123", false),
            List.of(NODE));
    first.write(folder);
    Machine other = new Machine("node2", "Xeon", "amd64 avx512f", "17.0.1", null);
    new Provenance(
            "report", "/", Map.of(), Map.of(), Map.of(), Map.of(), first.build(), List.of(other))
        .write(folder);

    assertThat(Provenance.read(folder).orElseThrow().machines()).containsExactly(NODE, other);
  }
}
