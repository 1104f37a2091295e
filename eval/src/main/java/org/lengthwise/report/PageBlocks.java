package org.lengthwise.report;

import static java.util.Map.entry;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.lengthwise.report.form.Numbers;
import org.lengthwise.report.form.RunName;
import org.lengthwise.report.form.Section;
import org.lengthwise.report.form.TableText;

/**
 * The blocks of a section as the template {@code blocks.html} reads them: a map with a key for each
 * kind of block, of which one has a value. The value is the block itself if the template can read
 * it.
 */
final class PageBlocks {
  private static final List<String> KINDS =
      List.of("note", "table", "figure", "map", "findings", "folded", "origin");

  private PageBlocks() {}

  /** The sections of the page; the switches for runs are above the first one with a chart. */
  static List<Map<String, Object>> of(List<Section> sections) {
    int first = 0;
    while (first < sections.size() && sections.get(first).charts().findAny().isEmpty()) {
      first++;
    }
    int firstChart = first;
    return IntStream.range(0, sections.size())
        .mapToObj(
            i ->
                Map.<String, Object>ofEntries(
                    entry("switches", i == firstChart),
                    entry("heading", sections.get(i).heading()),
                    entry("blocks", blocks(sections.get(i).blocks()))))
        .toList();
  }

  private static List<Map<String, @Nullable Object>> blocks(List<Section.Block> blocks) {
    return blocks.stream()
        .filter(
            block ->
                !(block instanceof Section.Table table && table.place() == Section.Place.FILES))
        .map(PageBlocks::view)
        .toList();
  }

  /** The names of the classes of blocks are the kinds in small letters. */
  private static Map<String, @Nullable Object> view(Section.Block block) {
    Map<String, @Nullable Object> view = new HashMap<>();
    KINDS.forEach(kind -> view.put(kind, null)); // else the template finds the kind of a parent
    String kind = block.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    if (!KINDS.contains(kind)) {
      throw new AssertionError("no view of " + block);
    }
    view.put(
        kind,
        block instanceof Section.Table table
            ? table(table.text())
            : block instanceof Section.Folded folded
                ? folded(folded)
                : block instanceof Section.Origin origin ? origin(origin) : block);
    return view;
  }

  private static Map<String, Object> table(TableText table) {
    return Map.ofEntries(
        entry("title", table.title()),
        entry(
            "header",
            IntStream.range(0, table.header().size())
                .mapToObj(i -> Map.of("text", table.header().get(i), "words", isWords(table, i)))
                .toList()),
        entry("rows", rows(table, table.rows())),
        entry("shaded", table.isShaded()),
        entry("hasFoot", !table.foot().isEmpty()),
        entry("foot", rows(table, table.foot())),
        entry("notes", table.caption().stream().map(Section.Note::new).toList()));
  }

  private static boolean isWords(TableText table, int column) {
    return table.alignment().charAt(column) == 'l';
  }

  private static List<Map<String, Object>> rows(TableText table, List<List<TableText.Entry>> rows) {
    return rows.stream()
        .map(
            row ->
                Map.<String, Object>ofEntries(
                    entry("name", row.get(0).text()),
                    entry(
                        "cells",
                        IntStream.range(1, row.size())
                            .mapToObj(i -> cell(row.get(i), isWords(table, i)))
                            .toList())))
        .toList();
  }

  private static Map<String, Object> cell(TableText.Entry entry, boolean words) {
    // Intervals in parentheses are below the number: nine columns of them fit a page.
    boolean below = entry.interval().startsWith("(");
    return Map.ofEntries(
        entry("text", entry.text()),
        entry("interval", below ? "" : entry.interval()),
        entry("below", below ? entry.interval().substring(1, entry.interval().length() - 1) : ""),
        entry("paper", entry.paper()),
        entry("words", words),
        entry("same", entry.isWithoutDirection()),
        entry("shade", Double.isNaN(entry.shade()) ? "" : Math.round(100 * entry.shade()) + "%"));
  }

  private static Map<String, Object> folded(Section.Folded folded) {
    boolean scripted =
        folded.blocks().stream()
            .allMatch(block -> block instanceof Section.Figure figure && !figure.withoutScripts());
    return Map.ofEntries(
        entry("summary", folded.summary()),
        entry("run", folded.run()),
        entry("open", folded.open()),
        entry("printed", folded.printed()),
        entry("scripted", scripted),
        entry("blocks", blocks(folded.blocks())));
  }

  private static Map<String, Object> origin(Section.Origin run) {
    JsonNode description = run.description();
    return Map.ofEntries(
        entry("printed", run.printed()),
        entry("run", run.run()),
        entry("heading", RunName.heading(run.run())),
        entry("seed", Long.toString(run.seed())),
        entry("data", description.at("/data/sha256").asText(Numbers.MISSING)),
        entry("tokenizer", description.at("/data/tokenizer/name").asText(Numbers.MISSING)),
        entry("version", description.at("/build/version").asText()),
        entry("commit", description.at("/build/commit").asText()),
        entry("dirty", description.at("/build/dirty").asBoolean()),
        entry("config", description.path("config").toPrettyString()));
  }
}
