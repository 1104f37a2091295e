@NullMarked
package org.lengthwise.model;

import org.jspecify.annotations.NullMarked;
