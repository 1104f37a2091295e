package org.lengthwise.report.form;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The part of a report that shows one measurement. */
public interface Part {
  /** {@return the names of the measured runs; may be empty, and may repeat a name} */
  Stream<String> runs();

  /**
   * {@return the sections of this part, in the order of the page; one without blocks is not shown}
   */
  List<Section> sections(Looks looks);

  /** {@return the questions of the scoreboard that this measurement answers} */
  default List<Question> questions() {
    return List.of();
  }

  /** {@return the text of each file of numbers by the file's name, such as {@code table.csv}} */
  default Map<String, String> files() {
    return Map.of();
  }
}
