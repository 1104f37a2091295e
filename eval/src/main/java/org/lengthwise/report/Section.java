package org.lengthwise.report;

import java.util.List;
import java.util.stream.Stream;
import org.lengthwise.plot.Chart;
import org.lengthwise.plot.Picture;
import org.lengthwise.statistics.Estimate;
import org.lengthwise.statistics.Verdict;

/**
 * One section of a report.
 *
 * @param heading its heading on the page
 * @param blocks its content in order
 */
record Section(String heading, List<Block> blocks) {
  /** Copies the list. */
  Section {
    blocks = List.copyOf(blocks);
  }

  /** The tables of the files {@code table.md} and {@code table.tex}. */
  Stream<TableText> tables() {
    return all(blocks)
        .filter(Table.class::isInstance)
        .map(Table.class::cast)
        .filter(table -> table.place() != Place.PAGE)
        .map(Table::text);
  }

  /** The charts, each of which has picture files too. */
  Stream<Chart> charts() {
    return all(blocks).filter(Figure.class::isInstance).map(block -> ((Figure) block).chart());
  }

  private static Stream<Block> all(List<Block> blocks) {
    return blocks.stream()
        .flatMap(block -> block instanceof Folded folded ? all(folded.blocks()) : Stream.of(block));
  }

  /** The outputs that show a table. */
  enum Place {
    /** Only on the page. */
    PAGE,
    /** Only in the files. */
    FILES,
    /** On the page and in the files. */
    BOTH
  }

  /** A part of a section. */
  sealed interface Block {}

  /**
   * A paragraph on the page.
   *
   * @param text the sentences
   * @param warning whether the page shows them as a warning
   */
  record Note(String text, boolean warning) implements Block {
    /** A paragraph that is no warning. */
    Note(String text) {
      this(text, false);
    }
  }

  /**
   * A table.
   *
   * @param text the table
   * @param place the outputs that show the table
   */
  record Table(TableText text, Place place) implements Block {}

  /**
   * A chart.
   *
   * @param chart the chart
   * @param withoutScripts whether readers without scripts see its picture on the page
   */
  record Figure(Chart chart, boolean withoutScripts) implements Block {
    /** The picture for readers without scripts, as an SVG element; may be empty. */
    String svg() {
      String svg = withoutScripts ? new Picture(chart).svg() : "";
      return svg.substring(Math.max(0, svg.indexOf("<svg"))).strip();
    }
  }

  /**
   * The verdicts of one table.
   *
   * @param list the verdicts in the order of runs
   */
  record Findings(List<Finding> list) implements Block {
    /** Copies the list. */
    Findings {
      list = List.copyOf(list);
    }
  }

  /**
   * The verdict on a run.
   *
   * @param run the run
   * @param verdict the verdict
   * @param length the longest length that was compared
   * @param change the change there
   */
  record Finding(Column run, Verdict verdict, int length, Estimate change) {
    /** The change in words. */
    String inWords() {
      return "at %s: perplexity %s, %s nats"
          .formatted(
              Numbers.count(length),
              Numbers.ratio(Math.exp(change.mean())),
              TableText.Entry.of(change).spelled());
    }
  }

  /**
   * Blocks that a reader unfolds.
   *
   * @param summary the words that are always visible
   * @param run the run that the blocks are about; empty for several
   * @param open whether they are unfolded at first
   * @param printed whether they are unfolded on paper
   * @param blocks the content
   */
  record Folded(String summary, String run, boolean open, boolean printed, List<Block> blocks)
      implements Block {
    /** Copies the list. */
    Folded {
      blocks = List.copyOf(blocks);
    }
  }

  /**
   * The configuration, data and software of a trained run.
   *
   * @param run the run
   */
  record Origin(TrainedRun run) implements Block {}
}
