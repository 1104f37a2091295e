@NullMarked
package org.lengthwise.eval.experiment;

import org.jspecify.annotations.NullMarked;
