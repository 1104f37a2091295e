package org.lengthwise.eval.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.lengthwise.dataprep.inspect.Check;
import org.lengthwise.dataprep.inspect.LengthHistogram.Bin;
import org.lengthwise.dataprep.inspect.SampleDocument;
import org.lengthwise.dataprep.inspect.ShardSummary;
import org.lengthwise.dataprep.inspect.SplitSummary;
import org.lengthwise.dataprep.shard.InputEntry;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenizerIdentity;

/**
 * The content of a shard folder as text for a terminal.
 *
 * @param out where to
 */
record ShardText(PrintWriter out) {
  private static final int LISTED_INPUTS = 5;
  private static final int BAR_WIDTH = 40;

  /** Line breaks, and whatever else a document could make a terminal obey. */
  private static final Pattern NOT_FOR_A_LINE = Pattern.compile("[\\s\\p{Cntrl}]+");

  void print(ShardContent content) {
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
    out.printf(
        Locale.ROOT, "rejects      %,d records set aside as malformed%n", manifest.rejects());
    out.printf(
        Locale.ROOT, "duplicates   %,d documents left out as repeated%n", manifest.duplicates());
    inputs(manifest.inputs());
    out.printf(Locale.ROOT, "settings     %s%n", manifest.settings());
    out.printf(Locale.ROOT, "written by   %s%n", manifest.build());
    splits(manifest, summary);
    lengths(summary.lengths().bins());
    sample(content);
  }

  private static String checked(ShardContent content) {
    int shards =
        content.manifest().splits().values().stream().mapToInt(of -> of.shards().size()).sum();
    return content.checked() == Check.CHECKSUMS
        ? "every byte of %d shards by its SHA-256".formatted(shards)
        : "sizes and footers of %d shards, checksums not; --verify reads every byte"
            .formatted(shards);
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

  private void sample(ShardContent content) {
    if (content.sampleLeftOut() != null) {
      out.println();
      out.printf(Locale.ROOT, "sample       left out: %s%n", content.sampleLeftOut());
    }
    for (SampleDocument document : content.sample()) {
      out.println();
      out.printf(
          Locale.ROOT,
          "%s, record %d: %,d tokens, %s%n",
          printable(document.info().source()),
          document.info().record(),
          document.tokens(),
          document.split().label());
      out.printf(Locale.ROOT, "  %s%n", printable(document.beginning()));
    }
  }

  private static String printable(String text) {
    return NOT_FOR_A_LINE.matcher(text).replaceAll(" ").strip();
  }
}
