/** The devices that models run on: their names and their peak throughput. */
@NullMarked
package org.lengthwise.training.device;

import org.jspecify.annotations.NullMarked;
