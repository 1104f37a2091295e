package org.lengthwise.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A key that a configuration had in earlier releases, and that another key replaced. A file may
 * still contain the key if both have the same value. The annotated record ignores the key.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface RetiredKey {

  /** {@return the path of the old key, such as {@code position.thickness}} */
  String key();

  /** {@return the path of the key that replaced it, such as {@code model.layers}} */
  String replacedBy();
}
