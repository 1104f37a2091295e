@NullMarked
package org.lengthwise.measure;

import org.jspecify.annotations.NullMarked;
