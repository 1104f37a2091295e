package org.lengthwise.rasp;

import java.util.function.Consumer;

/** A statement of a program. */
record Statement(Place place, Consumer<Scope> effect) {

  void execute(Scope scope) {
    effect.accept(scope);
  }
}
