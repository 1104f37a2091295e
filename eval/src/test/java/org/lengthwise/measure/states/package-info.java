@NullMarked
package org.lengthwise.measure.states;

import org.jspecify.annotations.NullMarked;
