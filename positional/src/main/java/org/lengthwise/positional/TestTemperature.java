package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.lengthwise.config.Checks;
import org.lengthwise.config.EnumName;
import org.lengthwise.config.InvalidValueException;

/**
 * A {@link Temperature} of products at test time, without further training. In configurations it is
 * {@code none}, or the name of a formula that is not learned, such as {@code log-length}, or with
 * an offset {@code log:100}.
 *
 * @param text the text that {@link #of} reads
 * @param temperature the temperature, without T_tr; empty for {@code none}
 */
public record TestTemperature(@JsonValue String text, Optional<Temperature> temperature) {
  public static final TestTemperature NONE = new TestTemperature("none", Optional.empty());

  /**
   * Reads a name, and perhaps a colon and an offset.
   *
   * @throws InvalidValueException if it is no such name
   */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static TestTemperature of(String text) {
    String[] parts = text.split(":", 2);
    List<String> names =
        Stream.concat(
                Stream.of(NONE.text),
                Arrays.stream(Temperature.Name.values())
                    .filter(name -> !new Temperature(name).hasScales())
                    .map(EnumName::of))
            .toList();
    Checks.oneOf("", parts[0], names);
    if (text.equals(NONE.text)) {
      return NONE;
    }
    try {
      Checks.require(!parts[0].equals(NONE.text), "", "none without an offset", text);
      Temperature.Name name = EnumName.constant(Temperature.Name.class, parts[0]);
      double offset = parts.length == 1 ? 0 : Double.parseDouble(parts[1]);
      return new TestTemperature(
          text, Optional.of(new Temperature(name, Temperature.On.PRODUCTS, offset, 0)));
    } catch (NumberFormatException e) {
      throw new InvalidValueException("", "a name and an offset, such as log:100", text);
    }
  }

  /** {@return the end of a name in results, such as {@code log-length} or {@code log-100}} */
  public String label() {
    return text.replace(':', '-');
  }
}
