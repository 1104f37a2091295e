package org.lengthwise.positional.formula;

import java.util.Arrays;
import java.util.Optional;

/** A name that every formula may use. */
public enum Variable {
  /** The distance m - n, at least 0. */
  DELTA("delta"),
  /** The position of the query, from 0. */
  QUERY("m"),
  /** The position of the key, from 0 to m. */
  KEY("n"),
  /** T, the length of the sequence that is read. */
  LENGTH("T"),
  /** T_tr, the length of training sequences. */
  TRAIN_LENGTH("T_tr"),
  /** The head, from 1 to H. */
  HEAD("h"),
  /** H, the number of heads. */
  HEADS("H"),
  /** D, the width of a head. */
  HEAD_WIDTH("D"),
  /** The block of the model, from 0. */
  LAYER("layer");

  private final String symbol;

  Variable(String symbol) {
    this.symbol = symbol;
  }

  /** {@return the name in a formula, such as {@code T_tr}} */
  public String symbol() {
    return symbol;
  }

  /** {@return whether a model has one value of it: true for T_tr, H and D} */
  public boolean isConstant() {
    return this == TRAIN_LENGTH || this == HEADS || this == HEAD_WIDTH;
  }

  static Optional<Variable> of(String symbol) {
    return Arrays.stream(values()).filter(variable -> variable.symbol.equals(symbol)).findFirst();
  }
}
