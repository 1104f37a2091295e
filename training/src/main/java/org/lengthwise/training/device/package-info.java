/**
 * The devices that models run on: their names and their peak throughput.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.training.device;

import org.jspecify.annotations.NullMarked;
