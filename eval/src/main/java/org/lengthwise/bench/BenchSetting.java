package org.lengthwise.bench;

import ai.djl.Device;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.lengthwise.positional.attention.Precision;

/**
 * What all parts share.
 *
 * @param traces the folder for profiles, or null to discard them
 */
record BenchSetting(
    Device device, Precision precision, RoundRobinTimer timer, @Nullable Path traces) {}
