package org.lengthwise.dataprep.source;

import com.github.luben.zstd.Zstd;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZ;
import org.tukaani.xz.XZOutputStream;

/** Archives and compressed files in memory. */
public final class Packed {

  private Packed() {}

  /** Entries of an archive, in order: alternating names and contents. */
  public static Map<String, byte[]> entries(Object... namesAndContents) {
    Map<String, byte[]> entries = new LinkedHashMap<>();
    for (int i = 0; i < namesAndContents.length; i += 2) {
      Object content = namesAndContents[i + 1];
      entries.put(
          (String) namesAndContents[i], content instanceof byte[] b ? b : utf8((String) content));
    }
    return entries;
  }

  /** The text's bytes. */
  public static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A zstd frame. */
  public static byte[] zstd(byte[] content) {
    return Zstd.compress(content);
  }

  /** A gzip member. */
  public static byte[] gzip(byte[] content) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream out = new GZIPOutputStream(packed)) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  /** An xz stream, with the checksum of {@code XZ.CHECK_...}. */
  public static byte[] xz(byte[] content, int check) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (XZOutputStream out = new XZOutputStream(packed, new LZMA2Options(0), check)) {
      out.write(content);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  /** An xz stream as the program xz writes it. */
  public static byte[] xz(byte[] content) {
    return xz(content, XZ.CHECK_CRC64);
  }

  /** A tar archive. */
  public static byte[] tar(Map<String, byte[]> entries) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (TarArchiveOutputStream out = new TarArchiveOutputStream(packed, "UTF-8")) {
      out.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        TarArchiveEntry header = new TarArchiveEntry(entry.getKey());
        header.setSize(entry.getValue().length);
        header.setModTime(0); // equal entries give equal bytes
        out.putArchiveEntry(header);
        out.write(entry.getValue());
        out.closeArchiveEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }

  /** A zip archive whose lengths and checksums follow the contents, as jar tools write it. */
  public static byte[] zip(Map<String, byte[]> entries) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (ZipOutputStream out = new ZipOutputStream(packed, StandardCharsets.UTF_8)) {
      for (Map.Entry<String, byte[]> entry : entries.entrySet()) {
        ZipEntry header = new ZipEntry(entry.getKey());
        header.setTimeLocal(LocalDateTime.of(2000, 1, 1, 0, 0));
        out.putNextEntry(header);
        out.write(entry.getValue());
        out.closeEntry();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }
}
