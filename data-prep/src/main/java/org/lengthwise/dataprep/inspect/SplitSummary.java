package org.lengthwise.dataprep.inspect;

/**
 * What a split holds.
 *
 * @param documents the number of documents
 * @param tokens the number of tokens, end-of-text included
 * @param textBytes the length of the text in UTF-8 bytes
 * @param shareOfDocuments documents over those of all splits
 * @param shareOfTokens tokens over those of all splits
 */
public record SplitSummary(
    long documents, long tokens, long textBytes, double shareOfDocuments, double shareOfTokens) {}
