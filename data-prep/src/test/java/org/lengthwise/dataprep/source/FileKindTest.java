package org.lengthwise.dataprep.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.lengthwise.dataprep.source.Packed.gzip;
import static org.lengthwise.dataprep.source.Packed.utf8;
import static org.lengthwise.dataprep.source.Packed.xz;

import com.github.luben.zstd.ZstdCompressCtx;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.tukaani.xz.XZ;

class FileKindTest {

  private static final byte[] TEXT = utf8("{\"text\":\"a\"}");

  @Test
  void onlyAStreamWithoutAChecksumIsReported() throws IOException {
    assertThat(numTold("x.jsonl.xz", xz(TEXT, XZ.CHECK_NONE))).isEqualTo(1);
    assertThat(numTold("x.jsonl.xz", xz(TEXT, XZ.CHECK_SHA256))).isZero();
    assertThat(numTold("x.jsonl.zst", zstd(false))).isEqualTo(1);
    assertThat(numTold("x.jsonl.zst", zstd(true))).isZero();
    assertThat(numTold("x.jsonl.gz", gzip(TEXT))).isZero();
    assertThat(numTold("x.jsonl", TEXT)).isZero();
  }

  private static byte[] zstd(boolean checksum) {
    try (ZstdCompressCtx context = new ZstdCompressCtx()) {
      return context.setChecksum(checksum).compress(TEXT);
    }
  }

  private static int numTold(String name, byte[] packed) throws IOException {
    AtomicInteger warnings = new AtomicInteger();
    FileKind kind = FileKind.of(name).orElseThrow();
    try (InputStream in =
        kind.decompress(
            new ByteArrayInputStream(packed),
            new EntryReader.Settings(Reading.TEXT, 1, warnings::incrementAndGet))) {
      assertThat(in.readAllBytes()).isEqualTo(TEXT);
    }
    return warnings.get();
  }
}
