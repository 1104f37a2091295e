package org.lengthwise.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.inspect.DocumentSample.SampleDocument;
import org.lengthwise.dataprep.inspect.LengthHistogram.Bin;
import org.lengthwise.dataprep.inspect.ShardSummary;
import org.lengthwise.dataprep.inspect.ShardSummary.SplitSummary;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenizerIdentity;
import org.lengthwise.error.Count;

record ShardText(PrintWriter out) {
  private static final int LISTED_INPUTS = 5;
  private static final int BAR_WIDTH = 40;

  /** Line breaks and control characters, which could change the state of a terminal. */
  private static final Pattern UNPRINTABLE = Pattern.compile("[\\s\\p{Cntrl}]+");

  /** The checks of a folder against its manifest that ran. */
  enum Check {
    /** Every shard's size, schema and counts, without reading the tokens. */
    FOOTERS,
    /** Also every byte, by the shard's SHA-256. */
    CHECKSUMS
  }

  /**
   * The description of a shard folder. {@code inspect --json} prints this record.
   *
   * @param sampleLeftOut why there is no sample, null if there is one
   */
  record Content(
      String folder,
      Check checked,
      ShardSummary summary,
      List<SampleDocument> sample,
      @Nullable String sampleLeftOut,
      Manifest manifest) {}

  void print(Content content) {
    Manifest manifest = content.manifest();
    ShardSummary summary = content.summary();
    out.printf(Locale.ROOT, "folder       %s%n", content.folder());
    out.printf(Locale.ROOT, "checked      %s%n", checked(content));
    TokenizerIdentity tokenizer = manifest.tokenizer();
    out.printf(
        Locale.ROOT,
        "tokenizer    %s, %d ids, end of text %d, SHA-256 %s%n",
        tokenizer.name(),
        tokenizer.vocabularySize(),
        tokenizer.endOfText(),
        tokenizer.sha256());
    out.printf(Locale.ROOT, "documents    %,d%n", summary.documents());
    out.printf(Locale.ROOT, "tokens       %,d, end-of-text included%n", summary.tokens());
    out.printf(
        Locale.ROOT,
        "text         %,d bytes, %.3f bytes per token%n",
        summary.textBytes(),
        summary.bytesPerToken());
    out.printf(Locale.ROOT, "rejects      %s%n", Count.of(manifest.rejects(), "record"));
    out.printf(
        Locale.ROOT, "duplicates   %s dropped%n", Count.of(manifest.duplicates(), "document"));
    inputs(manifest.inputs());
    out.printf(Locale.ROOT, "settings     %s%n", manifest.settings());
    out.printf(Locale.ROOT, "written by   %s%n", manifest.build());
    splits(manifest, summary);
    lengths(summary.lengths().bins());
    sample(content);
  }

  private static String checked(Content content) {
    int shards =
        content.manifest().splits().values().stream().mapToInt(of -> of.shards().size()).sum();
    String count = Count.of(shards, "shard");
    return content.checked() == Check.CHECKSUMS
        ? "SHA-256 of " + count
        : "sizes and footers of " + count + "; --verify also checks SHA-256";
  }

  private void inputs(List<InputEntry> inputs) {
    long bytes = inputs.stream().mapToLong(InputEntry::bytes).sum();
    out.printf(Locale.ROOT, "inputs       %,d, %,d bytes%n", inputs.size(), bytes);
    inputs.stream()
        .limit(LISTED_INPUTS)
        .forEach(
            input ->
                out.printf(
                    Locale.ROOT, "  %s  %,d bytes%n", printable(input.uri()), input.bytes()));
    if (inputs.size() > LISTED_INPUTS) {
      out.printf(
          Locale.ROOT,
          "  and %,d more, listed in %s%n",
          inputs.size() - LISTED_INPUTS,
          Manifest.FILE);
    }
  }

  private void splits(Manifest manifest, ShardSummary summary) {
    out.println();
    out.printf(
        Locale.ROOT, "split           documents   share             tokens   share  shards%n");
    for (Split split : Split.values()) {
      SplitSummary counts = summary.split(split);
      out.printf(
          Locale.ROOT,
          "%-12s %,12d %5.1f %% %,18d %5.1f %% %7d%n",
          split.label(),
          counts.documents(),
          100 * counts.shareOfDocuments(),
          counts.tokens(),
          100 * counts.shareOfTokens(),
          manifest.split(split).shards().size());
    }
  }

  private void lengths(List<Bin> bins) {
    out.println();
    out.printf(Locale.ROOT, "   length in tokens     documents%n");
    long most = bins.stream().mapToLong(Bin::documents).max().orElse(1);
    for (Bin bin : bins) {
      int width = (int) Math.ceil((double) BAR_WIDTH * bin.documents() / most);
      out.printf(
          Locale.ROOT,
          "%,9d to %,9d  %,10d  %s%n",
          bin.from(),
          bin.to() - 1,
          bin.documents(),
          "#".repeat(width));
    }
  }

  private void sample(Content content) {
    if (content.sampleLeftOut() != null) {
      out.println();
      out.printf(Locale.ROOT, "sample       skipped: %s%n", content.sampleLeftOut());
    }
    for (SampleDocument document : content.sample()) {
      out.println();
      out.printf(
          Locale.ROOT,
          "%s, record %d: %s, %s%n",
          printable(document.info().source()),
          document.info().record(),
          Count.of(document.tokens(), "token"),
          document.split().label());
      out.printf(Locale.ROOT, "  %s%n", printable(document.beginning()));
    }
  }

  private static String printable(String text) {
    return UNPRINTABLE.matcher(text).replaceAll(" ").strip();
  }
}
