package org.lengthwise.report.form;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.HeatMap;
import org.lengthwise.plot.Picture;
import org.lengthwise.statistics.Verdict;

/**
 * One section of a report.
 *
 * @param heading its heading on the page
 * @param blocks its content in order
 */
public record Section(String heading, List<Block> blocks) {
  /** Copies the list. */
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

  /** {@return the charts, each of which has picture files too} */
  public Stream<Chart> charts() {
    return all(blocks).filter(Figure.class::isInstance).map(block -> ((Figure) block).chart());
  }

  /** {@return the heat maps, each of which has picture files too} */
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
    /** Only on the page. */
    PAGE,
    /** Only in the files. */
    FILES,
    /** On the page and in the files. */
    BOTH
  }

  /** A part of a section. */
  public sealed interface Block {}

  /**
   * A paragraph on the page.
   *
   * @param warning whether the page shows them as a warning
   */
  public record Note(String text, boolean warning) implements Block {
    /** A paragraph that is no warning. */
    public Note(String text) {
      this(text, false);
    }
  }

  /**
   * A table.
   *
   * @param place the outputs that show the table
   */
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

  /** A picture as an SVG element of a page. */
  private static String element(Picture picture) {
    String svg = picture.svg();
    return svg.substring(Math.max(0, svg.indexOf("<svg"))).strip();
  }

  /** A heat map, which has no script. */
  public record Map(HeatMap map) implements Block {
    /** The picture as an SVG element. */
    String svg() {
      return element(new Picture(map));
    }
  }

  /**
   * The verdicts of one table.
   *
   * @param list the verdicts in the order of runs
   */
  public record Findings(List<Finding> list) implements Block {
    /** Copies the list. */
    public Findings {
      list = List.copyOf(list);
    }
  }

  /**
   * The verdict on a run.
   *
   * @param change the change at the longest length, in words
   */
  public record Finding(String run, Verdict verdict, String change) {
    /** Its name for readers. */
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
    /** Copies the list. */
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
