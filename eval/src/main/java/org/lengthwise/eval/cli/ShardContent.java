package org.lengthwise.eval.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.lengthwise.dataprep.inspect.Check;
import org.lengthwise.dataprep.inspect.SampleDocument;
import org.lengthwise.dataprep.inspect.ShardSummary;
import org.lengthwise.dataprep.shard.Manifest;

/**
 * What {@code inspect} says of a shard folder; {@code --json} prints it as it is.
 *
 * @param folder where it lies
 * @param checked how far it was compared with its manifest
 * @param summary what was counted
 * @param sample how the first documents begin
 * @param sampleLeftOut why there is no sample, if there is none
 * @param manifest the folder's manifest
 */
record ShardContent(
    String folder,
    Check checked,
    ShardSummary summary,
    List<SampleDocument> sample,
    @Nullable String sampleLeftOut,
    Manifest manifest) {}
