package org.lengthwise.eval.result;

/**
 * A value and where it was read, so that a complaint about it can name the place.
 *
 * @param place the file, with {@code :line} where it has lines
 * @param value the value
 * @param <T> the type of the value
 */
public record Located<T>(String place, T value) {}
