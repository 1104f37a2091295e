/**
 * What a training run is told: one record for each section of its configuration file.
 *
 * <p>Records check themselves; nothing that changes a number has a default here, all of them stand
 * in conf/.
 */
@NullMarked
package org.lengthwise.training.config;

import org.jspecify.annotations.NullMarked;
