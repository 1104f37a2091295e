package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/**
 * How positions enter attention: softmax(q k<sup>T</sup> / sqrt(D) + bias) v, the bias added after
 * the scaling and only for keys that the scheme lets a query see.
 *
 * <p>A scheme is a value: its settings are the record's components, its learnable numbers are
 * described by {@link #parameters} and live with the model. The {@link #bias} here is the slow
 * reference that the tensors of {@code org.lengthwise.positional.attention} are tested against.
 */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "scheme")
@JsonSubTypes({
  @JsonSubTypes.Type(value = Alibi.class, name = Alibi.NAME),
  @JsonSubTypes.Type(value = KerpleLog.class, name = KerpleLog.NAME),
  @JsonSubTypes.Type(value = KerplePower.class, name = KerplePower.NAME),
  @JsonSubTypes.Type(value = T5.class, name = T5.NAME),
  @JsonSubTypes.Type(value = RegularGpt.class, name = RegularGpt.NAME),
  @JsonSubTypes.Type(value = NoPosition.class, name = NoPosition.NAME)
})
public sealed interface PositionalScheme
    permits Alibi, KerpleLog, KerplePower, NoPosition, RegularGpt, T5 {

  /**
   * The scheme's name in configurations, checkpoints and results.
   *
   * @return a lower-case name, unique among the schemes
   */
  String label();

  /**
   * The learnable numbers this scheme adds to a model.
   *
   * @param heads H
   * @return their descriptions, in the order in which they are stored; empty if there are none
   */
  List<BiasParameter> parameters(int heads);

  /**
   * How many times the stack of distinct blocks runs over a sequence.
   *
   * @param length T, at least 1
   * @return L, 1 for every scheme that does not adapt its depth
   */
  default int levels(long length) {
    return 1;
  }

  /**
   * The reference bias, in plain doubles.
   *
   * @param values the learnable numbers of one block
   * @param head h in 0..H-1
   * @param level l in 0..L-1
   * @param distance delta, at least 0
   * @return what is added to the scaled score, or negative infinity if the key is not attended to
   */
  double bias(BiasValues values, int head, int level, long distance);
}
