/** The devices that models run on: how they are named, and how fast they can be at most. */
@NullMarked
package org.lengthwise.training.device;

import org.jspecify.annotations.NullMarked;
