package org.lengthwise.recall;

import com.fasterxml.jackson.annotation.JsonValue;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lengthwise.config.EnumName;
import org.lengthwise.rasp.Program;
import org.lengthwise.rasp.SOp;

/**
 * A language of the paper on RASP: a program of conf/rasp gives a label to each position. Source:
 * Weiss, Goldberg and Yahav, "Thinking Like Transformers", ICML 2021.
 */
public enum RaspLanguage {
  /** The input from its end to its start. */
  REVERSE("reverse", "reverse", false, 100, Labels.TOKENS),
  /** How often each token occurs. */
  HIST("hist", "hist", false, 26, Labels.COUNTS),
  /** As hist, after a BOS that is not counted. */
  HIST_BOS("hist-bos", "hist_bos", true, 26, Labels.COUNTS),
  /** How many different tokens occur as often as this one. */
  DOUBLE_HIST("double-hist", "double_hist_bos", true, 26, Labels.COUNTS),
  /** The tokens in the order of their code points. */
  SORT("sort", "sort_bos", true, 100, Labels.TOKENS),
  /** The different tokens, the most frequent first, then BOS. */
  MOST_FREQ("most-freq", "most_freq", true, 26, Labels.TOKENS),
  /** Of each prefix whether its brackets are balanced (T), can be (P), or cannot (F). */
  DYCK_1("dyck-1", "dyck1_ptf", false, 3, Labels.VERDICTS),
  /** As dyck-1, for two kinds of brackets. */
  DYCK_2("dyck-2-best", "dyck2_ptf", false, 5, Labels.VERDICTS);

  /** What labels are. */
  enum Labels {
    /** Tokens of the input. */
    TOKENS,
    /** Numbers from 1 on. */
    COUNTS,
    /** T, P and F. */
    VERDICTS
  }

  static final String BOS = "§";
  static final String VERDICTS = "TPF";

  @SuppressWarnings("ImmutableEnumChecker") // An s-op never changes.
  private final SOp sOp;

  private final boolean hasBos;
  private final int alphabet;
  private final Labels labels;

  RaspLanguage(String file, String name, boolean hasBos, int alphabet, Labels labels) {
    this.hasBos = hasBos;
    this.alphabet = alphabet;
    this.labels = labels;
    try {
      this.sOp = Program.read(Path.of(file + ".rasp"), RaspLanguage::source).sOp(name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String source(Path file) throws IOException {
    try (InputStream in = RaspLanguage.class.getResourceAsStream(file.toString())) {
      if (in == null) {
        throw new FileNotFoundException(file.toString());
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @JsonValue
  String label() {
    return EnumName.of(this);
  }

  /** {@return the program that computes the labels} */
  public SOp sOp() {
    return sOp;
  }

  boolean hasBos() {
    return hasBos;
  }

  /** The number of symbols in the paper, without BOS. */
  int alphabet() {
    return alphabet;
  }

  Labels labels() {
    return labels;
  }

  /** Whether symbols are brackets, each before the one that closes it, and a neutral one. */
  boolean hasBrackets() {
    return labels == Labels.VERDICTS;
  }

  /** The symbols: brackets, or the first of a-z, A-Z, 0-9 and À, Á, .. */
  String symbols(int count) {
    if (hasBrackets()) {
      return "(){}".substring(0, count - 1) + "x";
    }
    String letters = characters('a', 'z') + characters('A', 'Z') + characters('0', '9');
    return (letters + characters('À', 'À' + count)).substring(0, count);
  }

  private static String characters(int first, int last) {
    return IntStream.rangeClosed(first, last)
        .mapToObj(Character::toString)
        .collect(Collectors.joining());
  }
}
