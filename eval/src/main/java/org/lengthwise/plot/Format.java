package org.lengthwise.plot;

import java.math.BigDecimal;
import java.math.MathContext;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.Locale;

/** The format of the values of an axis. The page's script has the same formats by name. */
public enum Format {
  /** Whole numbers in groups of thousands, without a sign; from a million on in millions. */
  COUNT,
  NUMBER,
  NATS,
  /** Up to three digits with a sign, in nats. */
  CHANGE,
  SHARE;

  private static final double MILLION = 1e6;

  /** Values below this are the zero of an axis that the renderer missed by rounding. */
  private static final double ZERO = 1e-12;

  /** Values below this have an exponent. */
  private static final double SMALL = 1e-5;

  String tick(double value) {
    double shown = Math.abs(value) < ZERO ? 0 : value;
    return switch (this) {
      case COUNT -> count(Math.abs(shown));
      case NUMBER -> digits(shown, 6);
      case NATS -> digits(shown, 3);
      case CHANGE -> (shown > 0 ? "+" : "") + digits(shown, 3).replace('-', '\u2212');
      case SHARE -> Math.round(100 * shown) + "%";
    };
  }

  private static String count(double value) {
    return value < MILLION
        ? String.format(Locale.ROOT, "%,d", Math.round(value))
        : digits(value / MILLION, 4) + " M";
  }

  private static String digits(double value, int digits) {
    String pattern = value != 0 && Math.abs(value) < SMALL ? "0.##E0" : "#,##0.######";
    return new DecimalFormat(pattern, DecimalFormatSymbols.getInstance(Locale.ROOT))
        .format(new BigDecimal(value).round(new MathContext(digits)))
        .toLowerCase(Locale.ROOT);
  }
}
