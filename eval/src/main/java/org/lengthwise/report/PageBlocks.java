package org.lengthwise.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashMap;
import java.util.List;
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
                Map.<String, Object>of(
                    "switches",
                    i == firstChart,
                    "heading",
                    sections.get(i).heading(),
                    "blocks",
                    blocks(sections.get(i).blocks())))
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

  private static Map<String, @Nullable Object> view(Section.Block block) {
    Map<String, @Nullable Object> view = new HashMap<>();
    KINDS.forEach(kind -> view.put(kind, null)); // else the template finds the kind of a parent
    if (block instanceof Section.Note) {
      view.put("note", block);
    } else if (block instanceof Section.Table table) {
      view.put("table", table(table.text()));
    } else if (block instanceof Section.Figure) {
      view.put("figure", block);
    } else if (block instanceof Section.Map) {
      view.put("map", block);
    } else if (block instanceof Section.Findings) {
      view.put("findings", block);
    } else if (block instanceof Section.Folded folded) {
      view.put("folded", folded(folded));
    } else if (block instanceof Section.Origin origin) {
      view.put("origin", origin(origin));
    } else {
      throw new AssertionError("no view of " + block);
    }
    return view;
  }

  private static Map<String, Object> table(TableText table) {
    return Map.of(
        "title",
        table.title(),
        "header",
        IntStream.range(0, table.header().size())
            .mapToObj(i -> Map.of("text", table.header().get(i), "words", isWords(table, i)))
            .toList(),
        "rows",
        rows(table, table.rows()),
        "shaded",
        table.isShaded(),
        "hasFoot",
        !table.foot().isEmpty(),
        "foot",
        rows(table, table.foot()),
        "notes",
        table.caption().stream().map(Section.Note::new).toList());
  }

  private static boolean isWords(TableText table, int column) {
    return table.alignment().charAt(column) == 'l';
  }

  private static List<Map<String, Object>> rows(TableText table, List<List<TableText.Entry>> rows) {
    return rows.stream()
        .map(
            row ->
                Map.<String, Object>of(
                    "name",
                    row.get(0).text(),
                    "cells",
                    IntStream.range(1, row.size())
                        .mapToObj(i -> cell(row.get(i), isWords(table, i)))
                        .toList()))
        .toList();
  }

  private static Map<String, Object> cell(TableText.Entry entry, boolean words) {
    // Intervals in parentheses are below the number: nine columns of them fit a page.
    boolean below = entry.interval().startsWith("(");
    return Map.of(
        "text",
        entry.text(),
        "interval",
        below ? "" : entry.interval(),
        "below",
        below ? entry.interval().substring(1, entry.interval().length() - 1) : "",
        "paper",
        entry.paper(),
        "words",
        words,
        "same",
        entry.isWithoutDirection(),
        "shade",
        Double.isNaN(entry.shade()) ? "" : Math.round(100 * entry.shade()) + "%");
  }

  private static Map<String, Object> folded(Section.Folded folded) {
    boolean scripted =
        folded.blocks().stream()
            .allMatch(block -> block instanceof Section.Figure figure && !figure.withoutScripts());
    return Map.of(
        "summary",
        folded.summary(),
        "run",
        folded.run(),
        "open",
        folded.open(),
        "printed",
        folded.printed(),
        "scripted",
        scripted,
        "blocks",
        blocks(folded.blocks()));
  }

  private static Map<String, Object> origin(Section.Origin run) {
    JsonNode description = run.description();
    return Map.of(
        "printed",
        run.printed(),
        "run",
        run.run(),
        "heading",
        RunName.heading(run.run()),
        "seed",
        Long.toString(run.seed()),
        "data",
        description.at("/data/sha256").asText(Numbers.MISSING),
        "tokenizer",
        description.at("/data/tokenizer/name").asText(Numbers.MISSING),
        "version",
        description.at("/build/version").asText(),
        "commit",
        description.at("/build/commit").asText(),
        "dirty",
        description.at("/build/dirty").asBoolean(),
        "config",
        description.path("config").toPrettyString());
  }
}
