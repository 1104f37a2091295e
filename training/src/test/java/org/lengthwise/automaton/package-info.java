/** Tests of automata and of the tasks that they define. */
@NullMarked
package org.lengthwise.automaton;

import org.jspecify.annotations.NullMarked;
