package org.lengthwise.kernel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Packs the source of a module without parameters into a TorchScript archive.
 *
 * <p>Layout, as libtorch's reader expects it: {@code m/version} (operator version 10), {@code
 * m/data.pkl} (protocol-2 pickle of an instance of {@code __torch__.Kernels} with the one attribute
 * {@code training}), {@code m/constants.pkl} (an empty tuple) and {@code m/code/__torch__.py}.
 */
final class TorchScriptArchive {
  private static final String HEADER =
      """
      class Kernels(Module):
        __parameters__ = []
        __buffers__ = []
        training : bool
      """;

  private TorchScriptArchive() {}

  /**
   * Packs the methods of a module.
   *
   * @param methods the text of the module's methods, indented by two spaces
   * @return the archive's bytes
   */
  static byte[] pack(String methods) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      put(zip, "m/version", "10\n".getBytes(StandardCharsets.US_ASCII));
      put(zip, "m/data.pkl", instance());
      put(zip, "m/constants.pkl", new byte[] {(byte) 0x80, 2, ')', '.'});
      put(zip, "m/code/__torch__.py", (HEADER + methods).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] instance() {
    ByteArrayOutputStream pickle = new ByteArrayOutputStream();
    pickle.writeBytes(new byte[] {(byte) 0x80, 2}); // protocol 2
    pickle.writeBytes("c__torch__\nKernels\n".getBytes(StandardCharsets.US_ASCII)); // the class
    pickle.writeBytes(new byte[] {')', (byte) 0x81}); // an instance of it
    pickle.writeBytes(new byte[] {'}', '(', 'X', 8, 0, 0, 0}); // its state: a key of 8 bytes
    pickle.writeBytes("training".getBytes(StandardCharsets.US_ASCII));
    pickle.writeBytes(new byte[] {(byte) 0x88, 'u', 'b', '.'}); // true; set, build, stop
    return pickle.toByteArray();
  }

  private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
  }
}
