package org.lengthwise.task;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import org.lengthwise.artifact.Sha256;
import org.lengthwise.dataprep.shard.Manifest;
import org.lengthwise.dataprep.shard.ShardEntry;
import org.lengthwise.dataprep.shard.Split;
import org.lengthwise.dataprep.shard.TokenizerIdentity;

/**
 * The data that a model was trained on.
 *
 * @param sha256 the SHA-256 over the checksums of all shards, split by split, in hexadecimal
 */
public record DataIdentity(TokenizerIdentity tokenizer, String sha256) {

  public static DataIdentity of(Manifest manifest) {
    MessageDigest digest = Sha256.newDigest();
    for (Split split : Split.values()) {
      digest.update(split.label().getBytes(StandardCharsets.UTF_8));
      for (ShardEntry shard : manifest.split(split).shards()) {
        digest.update(shard.sha256().getBytes(StandardCharsets.UTF_8));
      }
    }
    return new DataIdentity(manifest.tokenizer(), Sha256.hex(digest));
  }
}
