/**
 * A run's metrics in TensorBoard's format.
 *
 * <p>Each attempt at a run has a file, {@code events.out.tfevents}, {@code
 * events.out.tfevents.0001} and so on: a sequence of records: the length of a message (8 bytes
 * little-endian), the masked CRC-32C of these bytes (4 bytes), the message, and its masked CRC-32C.
 * A message is a Protocol Buffers {@code Event}: {@code wall_time} (1, double, seconds), {@code
 * step} (2, int64), and either {@code file_version} (3, the first record), {@code session_log} (7),
 * which says that the run starts again at the step, or {@code summary} (5), whose {@code value}s
 * (1) have a {@code tag} (1, string) and a {@code simple_value} (2, float).
 *
 * <p>Implementation note: the few fields are written with protobuf's low-level encoder, since
 * generated classes for all of TensorFlow's messages take 4 MB.
 *
 * <p>This package is internal: any release may change it.
 */
@NullMarked
package org.lengthwise.training.tensorboard;

import org.jspecify.annotations.NullMarked;
