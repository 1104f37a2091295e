package org.lengthwise.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The value of a key that a user's YAML or a stored artifact lacks. Without the annotation a
 * missing key is an error.
 *
 * <p>Implementation note: it annotates a component of a record. At run time only the parameter of
 * the record's constructor has it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.PARAMETER)
public @interface AbsentMeans {
  /** {@return the value as JSON, such as {@code 1.0}, or {@code "one"} with its quotes} */
  String value();
}
