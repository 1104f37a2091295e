package org.lengthwise.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The key that a record component had in an earlier release. Stored artifacts are read under either
 * key. In a user's YAML the former key is an error that names the current key.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.PARAMETER, ElementType.FIELD})
public @interface FormerKey {
  /** {@return the former key in snake_case} */
  String value();
}
