/** Threads that work beside others: how they end. */
@NullMarked
package org.lengthwise.dataprep.thread;

import org.jspecify.annotations.NullMarked;
