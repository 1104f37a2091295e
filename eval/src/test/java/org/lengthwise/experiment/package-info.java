@NullMarked
package org.lengthwise.experiment;

import org.jspecify.annotations.NullMarked;
