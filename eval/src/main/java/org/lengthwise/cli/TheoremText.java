package org.lengthwise.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.lengthwise.config.Checks;
import org.lengthwise.error.Count;
import org.lengthwise.input.TextFile;
import org.lengthwise.ngram.TheoremAgreement;
import org.lengthwise.ngram.TheoremTransformer.Theorem;

/**
 * The construction of a theorem of Svete and Cotterell (NAACL 2024) beside the n-gram model of a
 * text.
 *
 * @param order n
 */
record TheoremText(Theorem theorem, int order) {
  TheoremText {
    Checks.atLeast("order", order, 2);
  }

  /**
   * Prints how far both agree at each place of the text.
   *
   * @param text a file in UTF-8, whose lines are texts and whose characters are symbols
   */
  void print(Path text, PrintWriter out) throws IOException {
    List<String> lines = TextFile.read(text).lines().toList();
    int[] alphabet = lines.stream().flatMapToInt(String::codePoints).distinct().sorted().toArray();
    Checks.require(alphabet.length > 0, "text", "at least one character", "only empty lines");
    TheoremAgreement found =
        TheoremAgreement.of(
            theorem,
            order,
            alphabet.length,
            lines.stream().map(line -> symbols(line, alphabet)).toList());
    out.printf(
        Locale.ROOT,
        "%s, %s, %s%nplaces with the history of the n-gram model: %s of %s%s%n"
            + "largest difference of a probability: %.2g%nsmallest lead of a key: %.3g%n",
        Count.of(lines.size(), "text"),
        Count.of(alphabet.length, "symbol"),
        Count.of(found.histories(), "history", "histories"),
        Count.of(found.right()),
        Count.of(found.places()),
        found.firstWrong().map(this::describe).orElse(""),
        found.largestDifference(),
        found.smallestLead());
  }

  private static int[] symbols(String line, int[] alphabet) {
    return line.codePoints().map(symbol -> Arrays.binarySearch(alphabet, symbol)).toArray();
  }

  private String describe(TheoremAgreement.Place place) {
    return "; not in text %s at position %s, counted with %s BOS"
        .formatted(place.text(), Count.of(place.position()), order - 1);
  }
}
