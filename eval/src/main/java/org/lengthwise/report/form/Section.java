package org.lengthwise.report.form;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.HeatMap;
import org.lengthwise.plot.Picture;
import org.lengthwise.statistics.Verdict;

/** One section of a report. */
public record Section(String heading, List<Block> blocks) {
  public Section {
    blocks = List.copyOf(blocks);
  }

  /** {@return the tables of the files {@code table.md} and {@code table.tex}} */
  public Stream<TableText> tables() {
    return all(blocks)
        .filter(Table.class::isInstance)
        .map(Table.class::cast)
        .filter(table -> table.place() != Place.PAGE)
        .map(Table::text);
  }

  /** {@return the charts, which have picture files too, as the maps} */
  public Stream<Chart> charts() {
    return all(blocks).filter(Figure.class::isInstance).map(block -> ((Figure) block).chart());
  }

  public Stream<HeatMap> maps() {
    return all(blocks).filter(Map.class::isInstance).map(block -> ((Map) block).map());
  }

  /** {@return the same section, with several charts for each one that has many runs} */
  public Section panels() {
    return new Section(heading, panels(blocks));
  }

  private static List<Block> panels(List<Block> blocks) {
    return blocks.stream().flatMap(Section::panels).toList();
  }

  private static Stream<Block> panels(Block block) {
    if (block instanceof Figure figure) {
      return figure.chart.panels().stream().map(panel -> new Figure(panel, figure.withoutScripts));
    }
    return Stream.of(
        block instanceof Folded folded
            ? new Folded(
                folded.summary, folded.run, folded.open, folded.printed, panels(folded.blocks))
            : block);
  }

  private static Stream<Block> all(List<Block> blocks) {
    return blocks.stream()
        .flatMap(block -> block instanceof Folded folded ? all(folded.blocks()) : Stream.of(block));
  }

  /** The outputs that show a table. */
  public enum Place {
    PAGE,
    FILES,
    BOTH
  }

  public sealed interface Block {}

  public record Note(String text, boolean warning) implements Block {
    public Note(String text) {
      this(text, false);
    }
  }

  public record Table(TableText text, Place place) implements Block {}

  /**
   * A chart.
   *
   * @param withoutScripts whether readers without scripts see its picture on the page
   */
  public record Figure(Chart chart, boolean withoutScripts) implements Block {
    /** The picture for readers without scripts, as an SVG element; may be empty. */
    String svg() {
      return withoutScripts ? element(new Picture(chart)) : "";
    }
  }

  private static String element(Picture picture) {
    String svg = picture.svg();
    return svg.substring(Math.max(0, svg.indexOf("<svg"))).strip();
  }

  /** A heat map, which has no script. */
  public record Map(HeatMap map) implements Block {
    String svg() {
      return element(new Picture(map));
    }
  }

  public record Findings(List<Finding> list) implements Block {
    public Findings {
      list = List.copyOf(list);
    }
  }

  public record Finding(String run, Verdict verdict, String change) {
    String heading() {
      return RunName.heading(run);
    }
  }

  /**
   * Blocks that a reader unfolds.
   *
   * @param summary the words that are always visible
   * @param run the run that the blocks are about; empty for several
   * @param open whether they are unfolded at first
   * @param printed whether they are unfolded on paper
   */
  public record Folded(
      String summary, String run, boolean open, boolean printed, List<Block> blocks)
      implements Block {
    public Folded {
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * The configuration, data and software of a trained run.
   *
   * @param description the {@code config.json} of its newest checkpoint
   * @param printed whether it stands on paper
   */
  public record Origin(String run, long seed, JsonNode description, boolean printed)
      implements Block {}
}
