package org.lengthwise.dataprep.source;

import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.compressors.lz4.BlockLZ4CompressorInputStream;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.compression.CompressionCodecFactory;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.lengthwise.error.Count;
import org.xerial.snappy.Snappy;

/**
 * Unpacks the pages of a Parquet file. A page's header states its unpacked length. A length beyond
 * the limit is rejected before memory is taken, and no page unpacks to another length.
 *
 * @param pageByteLimit the largest unpacked page in bytes
 */
record PageUnpacker(long pageByteLimit) implements CompressionCodecFactory {

  @Override
  public BytesInputDecompressor getDecompressor(CompressionCodecName codec) {
    return switch (codec) {
      case UNCOMPRESSED -> new Page((packed, size) -> packed);
      case SNAPPY -> new Page(PageUnpacker::snappy);
      case GZIP -> new Page(PageUnpacker::gzip);
      case ZSTD -> new Page(PageUnpacker::zstd);
      case LZ4_RAW -> new Page(PageUnpacker::lz4);
      default ->
          throw new UncheckedIOException(
              new UnsupportedFormatException(
                  "pages compressed with " + codec,
                  "write the file again with snappy, zstd, gzip, LZ4_RAW or no compression"));
    };
  }

  private static byte[] snappy(byte[] packed, int size) throws IOException {
    return Snappy.uncompressedLength(packed) == size ? Snappy.uncompress(packed) : new byte[0];
  }

  private static byte[] gzip(byte[] packed, int size) throws IOException {
    try (InputStream in = new GZIPInputStream(new ByteArrayInputStream(packed))) {
      byte[] page = in.readNBytes(size);
      return in.read() < 0 ? page : new byte[0];
    }
  }

  private static byte[] lz4(byte[] packed, int size) throws IOException {
    try (InputStream in = new BlockLZ4CompressorInputStream(new ByteArrayInputStream(packed))) {
      byte[] page = in.readNBytes(size);
      return in.read() < 0 ? page : new byte[0];
    }
  }

  private static byte[] zstd(byte[] packed, int size) throws IOException {
    try {
      return Zstd.decompress(packed, size);
    } catch (ZstdException e) {
      throw new IOException("a page that zstd cannot unpack: " + e.getMessage(), e);
    }
  }

  private static byte[] bytes(BytesInput page) throws IOException {
    return page.toInputStream().readAllBytes();
  }

  @FunctionalInterface
  private interface Codec {
    byte[] unpack(byte[] packed, int size) throws IOException;
  }

  private final class Page implements BytesInputDecompressor {

    private final Codec codec;

    Page(Codec codec) {
      this.codec = codec;
    }

    @Override
    public BytesInput decompress(BytesInput packed, int size) throws IOException {
      if (size < 0 || size > pageByteLimit) {
        throw new IOException(
            "a page of %s bytes when unpacked; the heap allows %s (LENGTHWISE_OPTS=-Xmx sets it)"
                .formatted(Count.of(Integer.toUnsignedLong(size)), Count.of(pageByteLimit)));
      }
      byte[] page = size == 0 ? new byte[0] : codec.unpack(bytes(packed), size);
      if (page.length != size) {
        throw new IOException(
            "a page that does not unpack to the %s bytes of its header".formatted(Count.of(size)));
      }
      return BytesInput.from(page);
    }

    @Override
    public void decompress(ByteBuffer packed, int packedSize, ByteBuffer page, int size)
        throws IOException {
      byte[] bytes = new byte[packedSize];
      packed.get(bytes);
      page.put(bytes(decompress(BytesInput.from(bytes), size)));
    }

    @Override
    public void release() {}
  }

  @Override
  public BytesInputCompressor getCompressor(CompressionCodecName codec) {
    throw new UnsupportedOperationException("only reads");
  }

  @Override
  public void release() {}
}
