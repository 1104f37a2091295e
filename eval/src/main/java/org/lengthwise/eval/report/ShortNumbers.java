package org.lengthwise.eval.report;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;

/** JSON whose fractions have no more digits than a chart can show. */
final class ShortNumbers extends JsonGeneratorDelegate {
  private static final MathContext DIGITS = new MathContext(6);

  ShortNumbers(JsonGenerator json) {
    super(json);
  }

  @Override
  public void writeNumber(double value) throws IOException {
    super.writeNumber(
        Double.isFinite(value) ? new BigDecimal(value).round(DIGITS).doubleValue() : value);
  }

  @Override
  public void writeArray(double[] values, int offset, int length) throws IOException {
    writeStartArray();
    for (int i = offset; i < offset + length; i++) {
      writeNumber(values[i]);
    }
    writeEndArray();
  }
}
