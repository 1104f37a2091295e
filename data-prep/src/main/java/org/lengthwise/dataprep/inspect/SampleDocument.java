package org.lengthwise.dataprep.inspect;

import org.lengthwise.dataprep.shard.DocumentInfo;
import org.lengthwise.dataprep.shard.Split;

/**
 * How a document begins.
 *
 * @param split the split that it is in
 * @param info where it came from
 * @param tokens its length, end-of-text included
 * @param beginning its first tokens, decoded; as long as the document where that is short
 */
public record SampleDocument(Split split, DocumentInfo info, int tokens, String beginning) {}
