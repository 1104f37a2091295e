package org.lengthwise.report.form;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.lengthwise.result.EvaluatedCheckpoint;

/** The order of runs and their names for readers. */
public final class RunName {
  /** The columns of the paper's Table 3, left to right. */
  private static final List<String> PAPER_ORDER =
      List.of(
          "kerple-log",
          "t5",
          "alibi",
          "regulargpt-32-6",
          "regulargpt-64-6",
          "regulargpt-128-6",
          "regulargpt-128-12",
          "regulargpt-256-6");

  private static final Pattern REGULAR_GPT = Pattern.compile("regulargpt-(\\d+)-(\\d+)");

  private static final Pattern KNESER_NEY =
      Pattern.compile(EvaluatedCheckpoint.BASELINE + "-(\\d+)(-read)?(?:-(\\d+))?");
  private static final Pattern SIZED = Pattern.compile("(fire|learned)-(\\d+(?:\\.\\d+)?)");
  private static final String TEMPERATURE = "log-length|floor|(?<!kerple-)log";
  private static final String NUMBER = "(-\\d+(?:\\.\\d+)?)?";
  private static final String SCALING = "interpolation|ntk|yarn|dynamic";
  private static final String ONE_CHANGE = "-(%s|%s)%s".formatted(SCALING, TEMPERATURE, NUMBER);
  private static final Pattern CHANGE = Pattern.compile("(" + ONE_CHANGE + ")+$");
  private static final Pattern CHANGED = Pattern.compile("(.+?)" + ONE_CHANGE);
  private static final Pattern SLIDING_WINDOW = Pattern.compile("sliding-window-(\\d+)(-none)?");

  private static final String RANDOMIZED = "randomized-";

  private RunName() {}

  /** {@return the runs of the paper first, in its order, then other runs, then baselines} */
  public static Comparator<String> paperFirst() {
    return Comparator.comparing(RunName::isBaseline)
        .thenComparingInt(
            run -> PAPER_ORDER.contains(run) ? PAPER_ORDER.indexOf(run) : PAPER_ORDER.size());
  }

  /** {@return whether a run is an n-gram baseline, which has neither seeds nor a verdict} */
  public static boolean isBaseline(String run) {
    return KNESER_NEY.matcher(run).matches();
  }

  /** {@return whether the paper's Table 3 has a column of this name} */
  public static boolean isOfThePaper(String run) {
    return PAPER_ORDER.contains(run);
  }

  /** {@return C of RegularGPT C/K, the size of a chunk; empty for other names} */
  public static OptionalInt chunk(String run) {
    return regularGpt(run, 1);
  }

  /** {@return K of RegularGPT C/K, the number of blocks; empty for other names} */
  public static OptionalInt thickness(String run) {
    return regularGpt(run, 2);
  }

  /** {@return the name of the model, without what is changed in its scheme at test time} */
  public static String withoutChange(String run) {
    return CHANGE.matcher(run).replaceFirst("");
  }

  /**
   * {@return the name without what a block adds to it, such as {@code rope} of {@code rope-mqar}}
   *
   * @param run the run's name; one without this ending stays unchanged
   * @param subject what the block trains on, such as {@code mqar}
   */
  public static String withoutSubject(String run, String subject) {
    String model = withoutChange(run);
    String change = run.substring(model.length());
    String ending = "-" + subject;
    return (model.endsWith(ending) ? model.substring(0, model.length() - ending.length()) : model)
        + change;
  }

  private static OptionalInt regularGpt(String run, int group) {
    Matcher name = REGULAR_GPT.matcher(run);
    return name.matches()
        ? OptionalInt.of(Integer.parseInt(name.group(group)))
        : OptionalInt.empty();
  }

  /**
   * {@return the name for readers, such as {@code RegularGPT 128/6}}
   *
   * @param run the run's name; one without a known pattern stays unchanged
   */
  public static String heading(String run) {
    Matcher regularGpt = REGULAR_GPT.matcher(run);
    if (regularGpt.matches()) {
      return "RegularGPT " + regularGpt.group(1) + "/" + regularGpt.group(2);
    }
    Matcher window = SLIDING_WINDOW.matcher(run);
    if (window.matches()) {
      return "Window " + window.group(1) + (window.group(2) == null ? "" : ", no position");
    }
    Matcher kneserNey = KNESER_NEY.matcher(run);
    if (kneserNey.matches()) {
      return kneserNey.group(1)
          + "-gram"
          + (kneserNey.group(2) == null ? "" : ", tokens read")
          + (kneserNey.group(3) == null ? "" : " " + kneserNey.group(3));
    }
    Matcher changed = CHANGED.matcher(run);
    if (changed.matches()) {
      String number = changed.group(3) == null ? "" : changed.group(3).replace('-', ' ');
      return heading(changed.group(1)) + ", " + heading(changed.group(2)) + number;
    }
    if (run.startsWith(RANDOMIZED)) {
      return heading(run.substring(RANDOMIZED.length())) + ", randomized";
    }
    Matcher sized = SIZED.matcher(run);
    if (sized.matches()) {
      return heading(sized.group(1)) + " " + sized.group(2);
    }
    return switch (run) {
      case "kerple-log" -> "KERPLE";
      case "kerple-power" -> "KERPLE power";
      case "t5" -> "T5";
      case "alibi" -> "ALiBi";
      case "none" -> "No position";
      case "sandwich" -> "Sandwich";
      case "fire" -> "FIRE";
      case "rope" -> "RoPE";
      case "interpolation" -> "interpolated";
      case "ntk" -> "NTK";
      case "yarn" -> "YaRN";
      case "sinusoidal" -> "Sinusoidal";
      case "learned" -> "Learned positions";
      case "transformer-xl" -> "Transformer-XL";
      case "cope" -> "CoPE";
      case "forget" -> "Forget gate";
      case "stick-breaking" -> "Stick-breaking";
      case "dape" -> "DAPE";
      case "ssmax" -> "Scalable softmax";
      default -> run;
    };
  }
}
