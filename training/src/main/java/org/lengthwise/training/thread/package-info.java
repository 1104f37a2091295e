/** Threads that work beside a run's steps: how they end. */
@NullMarked
package org.lengthwise.training.thread;

import org.jspecify.annotations.NullMarked;
