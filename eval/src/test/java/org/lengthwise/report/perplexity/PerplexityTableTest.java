package org.lengthwise.report.perplexity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.lengthwise.measure.perplexity.DocumentEnds;
import org.lengthwise.report.form.LatexTable;
import org.lengthwise.report.form.MarkdownTable;
import org.lengthwise.report.form.TableText;
import org.lengthwise.result.EvaluatedCheckpoint;
import org.lengthwise.result.EvaluationResult;
import org.lengthwise.result.Located;
import org.lengthwise.result.Protocol;
import org.lengthwise.result.Samples;
import org.lengthwise.result.ScoredTargets;

class PerplexityTableTest {
  private static final EvaluatedCheckpoint.Model AS_IN_THE_PAPER =
      new EvaluatedCheckpoint.Model("gpt2", 12, 768);

  private static EvaluationResult at512(String run, long seed, int length, double perplexity) {
    double nll = Math.log(perplexity);
    return EvaluationResult.of(
        new EvaluatedCheckpoint(run, "scheme", seed, "somewhere", 50_000, 512, AS_IN_THE_PAPER),
        Protocol.ALIGNED,
        false,
        length,
        ScoredTargets.lastTokens(length, new long[] {7, 8}, new double[] {nll, nll}),
        Samples.DATA);
  }

  private static final Comparison COMPARISON =
      Comparison.of(
          Stream.of(
                  at512("my_run", 1, 512, 20),
                  at512("alibi", 1, 512, 24),
                  at512("alibi", 2, 512, 26),
                  at512("alibi", 1, 1024, 123456.7))
              .map(result -> new Located<>(Path.of("here"), 1, result))
              .toList());

  private static List<TableText> texts() {
    return COMPARISON.tables().stream().map(t -> t.text(PaperTable.load())).toList();
  }

  @Test
  void markdownShowsSpreadMissingCellsAndThePapersNumbers() {
    assertThat(MarkdownTable.of(texts()))
        .startsWith(
            """
            ## Perplexity against length, aligned protocol

            | T_ex | ALiBi | my_run |
            | ---: | ---: | ---: |
            | 512 | 25.00 ± 1.41 [24.53, +0.47] | 20.00 |
            | 1024 | 1.23e+05 [24.90, +1.23e+05] | – |
            | seeds | 1–2 | 1 |

            Trained at T_tr = 512 tokens. In brackets: the number of the paper's Table 3\
            """)
        .contains(
            "sample standard deviation", "exp(mean negative log-likelihood of 2 last tokens)");
  }

  @Test
  void csvHasARowForEachResultInFullPrecision() throws IOException {
    IndividualScores noRows = IndividualScores.read(List.of(), DocumentEnds.none());
    assertThat(PerplexityPart.csv(COMPARISON.results(), noRows).lines())
        .hasSize(5)
        .startsWith(
            "run,scheme,seed,protocol,length,count,nll_mean,ppl,stderr,within_document,scored_per_window,bits_per_byte",
            "alibi,scheme,1,aligned,512,2,3.1780538303479458,24.000000000000004,0.0,false,1,");
    List<EvaluationResult> known = List.of(at512("alibi", 1, 512, 16).with(text(8)));
    assertThat(PerplexityPart.csv(known, noRows)).endsWith(",0.0,false,1,1.0\n");
  }

  private static EvaluationResult.Text text(long bytes) {
    return new EvaluationResult.Text(bytes, Samples.DATA);
  }

  @Test
  void bitsPerByteHaveATableIfAllResultsKnowTheirBytes() {
    List<EvaluationResult> known =
        List.of(
            at512("my_run", 1, 512, 16).with(text(8)),
            at512("alibi", 1, 512, 16).with(text(8)),
            at512("alibi", 2, 512, 64).with(text(8)),
            at512("alibi", 1, 1024, 4).with(text(8)));
    PerplexityTable table = COMPARISON.tables().get(0);
    assertThat(MarkdownTable.of(BitsPerByteTable.of(table, known, false).stream().toList()))
        .startsWith(
            """
            ## Bits per byte against length, aligned protocol

            | T_ex | ALiBi | my_run |
            | ---: | ---: | ---: |
            | 512 | 1.2500 ± 0.3536 | 1.0000 |
            | 1024 | 0.5000 | – |
            | seeds | 1–2 | 1 |

            Bits per byte are the sum of negative log-likelihoods in bits""");
    assertThat(BitsPerByteTable.of(table, COMPARISON.results(), false)).isEmpty();
    EvaluationResult older = at512("my_run", 1, 512, 16);
    List<EvaluationResult> some = Stream.concat(Stream.of(older), known.stream().skip(1)).toList();
    assertThat(BitsPerByteTable.of(table, some, false)).isEmpty();
  }

  @Test
  void latexIsABooktabsTableWithEverythingSpecialEscaped() {
    assertThat(LatexTable.of(texts()))
        .contains(
            "\\toprule\n    $T_{\\mathrm{ex}}$ & ALiBi & my\\_run \\\\\n    \\midrule\n",
            "    512 & 25.00 $\\pm$ 1.41 [24.53, +0.47] & 20.00 \\\\\n",
            "    \\midrule\n    seeds & 1--2 & 1 \\\\\n    \\bottomrule\n",
            "0.0 \\% of");
  }

  @Test
  void numbersOfThePaperAreShownOnlyForComparableRuns() {
    assertThat(paper("regulargpt-64-6", 512, AS_IN_THE_PAPER, 8192)).hasValue(1175.91);
    assertThat(paper("regulargpt-128-12", 512, AS_IN_THE_PAPER, 1024)).hasValue(26.91);
    assertThat(paper("t5", 512, AS_IN_THE_PAPER, 8192)).hasValue(39.08);
    assertThat(paper("t5", 512, new EvaluatedCheckpoint.Model("gpt2", 2, 64), 8192))
        .hasValue(39.08);
    assertThat(paper("t5", 512, new EvaluatedCheckpoint.Model("bytes", 12, 768), 8192)).isEmpty();
    assertThat(paper("t5", 128, AS_IN_THE_PAPER, 8192)).isEmpty();
    assertThat(paper("none", 512, AS_IN_THE_PAPER, 512)).isEmpty();
    assertThat(paper("t5", 512, AS_IN_THE_PAPER, 16384)).isEmpty();
    PerplexityTable unknown = table(Map.of(), new Column("t5", 512));
    assertThat(PaperTable.load().perplexity(unknown, new Column("t5", 512), 8192)).isEmpty();
  }

  private static OptionalDouble paper(
      String run, int trainLength, EvaluatedCheckpoint.Model model, int length) {
    Column column = new Column(run, trainLength);
    return PaperTable.load().perplexity(table(Map.of(column, model), column), column, length);
  }

  private static PerplexityTable table(
      Map<Column, EvaluatedCheckpoint.Model> models, Column... columns) {
    Map<Column, Map<Integer, TableCell>> cells =
        Stream.of(columns)
            .collect(
                Collectors.toMap(
                    column -> column, column -> Map.of(512, new TableCell(List.of(20.0)))));
    return new PerplexityTable(
        Protocol.ALIGNED, List.of(columns), List.of(512), cells, models, List.of());
  }

  @Test
  void runsOfAnotherTrainingLengthAreComparedByRatios() {
    Comparison comparison =
        Comparison.of(
            Stream.of(
                    Samples.aligned("t5", 1, 128, 5),
                    Samples.aligned("t5", 1, 256, 6),
                    Samples.aligned("regulargpt-16-2", 1, 128, 6),
                    Samples.aligned("regulargpt-16-2", 1, 512, 60),
                    Samples.aligned("regulargpt-32-2", 1, 128, 7))
                .map(result -> new Located<>(Path.of("here"), 1, result))
                .toList());
    PaperColumn stated = new PaperColumn("regulargpt-16-2", 128, "regulargpt-32-6");
    PerplexityTable table = comparison.tables().get(0);
    assertThat(
            MarkdownTable.of(
                PaperRatioTable.of(table, comparison.results(), List.of(stated), PaperTable.load())
                    .stream()
                    .toList()))
        .contains(
            "| run | the paper's | 2 T_tr | 4 T_tr | 8 T_tr | 16 T_tr |",
            "| T5 | T5 | × 1.200 [× 0.995, +0.205] | – [× 1.021] |",
            "| RegularGPT 16/2 | RegularGPT 32/6 | – [× 0.999] | × 10.000 [× 24.696, −14.696] |",
            "Runs without a column of the paper: RegularGPT 32/2.");
  }

  @Test
  void modelsOfAnotherSizeThanInThePaperAreNamed() {
    Column alibi = new Column("alibi", 512);
    Column regular = new Column("regulargpt-64-6", 512);
    EvaluatedCheckpoint.Model six = new EvaluatedCheckpoint.Model("gpt2", 6, 768);
    PaperTable paper = PaperTable.load();
    assertThat(
            paper.otherSizes(table(Map.of(alibi, AS_IN_THE_PAPER, regular, six), alibi, regular)))
        .isEmpty();
    PerplexityTable small =
        table(Map.of(alibi, new EvaluatedCheckpoint.Model("gpt2", 2, 64)), alibi, regular);
    assertThat(paper.otherSizes(small))
        .contains(
            "Models of another size than in the paper: ALiBi has 2 blocks of width 64, in the paper"
                + " 12 of 768.");
    assertThat(small.text(paper).caption())
        .anyMatch(sentence -> sentence.startsWith("Models of another size"));
  }
}
