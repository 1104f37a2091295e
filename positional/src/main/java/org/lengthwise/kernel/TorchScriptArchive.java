package org.lengthwise.kernel;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Packs the source of a module without parameters into a TorchScript archive.
 *
 * <p>Layout, as libtorch's reader expects it: {@code m/version} (operator version 10), {@code
 * m/data.pkl} (protocol-2 pickle of an instance of {@code __torch__.Kernels} with its attributes),
 * {@code m/constants.pkl} (an empty tuple) and {@code m/code/__torch__.py}.
 */
final class TorchScriptArchive {
  private static final String HEADER =
      """
      class Kernels(Module):
        __parameters__ = []
        __buffers__ = []
        training : bool
        gpu : bool
        libtorch : int
        bf16 : bool
        cudnn : bool
      """;

  private static final int TRUE = 0x88;
  private static final int FALSE = 0x89;

  private TorchScriptArchive() {}

  /** Packs the methods of a module, indented by two spaces. */
  static byte[] pack(String methods, KernelModule.Target target) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
      put(zip, "m/version", "10\n".getBytes(StandardCharsets.US_ASCII));
      put(zip, "m/data.pkl", instance(target));
      put(zip, "m/constants.pkl", new byte[] {(byte) 0x80, 2, ')', '.'});
      put(zip, "m/code/__torch__.py", (HEADER + methods).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static byte[] instance(KernelModule.Target target) {
    ByteArrayOutputStream pickle = new ByteArrayOutputStream();
    pickle.writeBytes(new byte[] {(byte) 0x80, 2}); // protocol 2
    pickle.writeBytes("c__torch__\nKernels\n".getBytes(StandardCharsets.US_ASCII)); // the class
    pickle.writeBytes(new byte[] {')', (byte) 0x81}); // an instance of it
    pickle.writeBytes(new byte[] {'}', '('}); // its state: a map
    putKey(pickle, "training");
    pickle.write(TRUE);
    putKey(pickle, "gpu");
    pickle.write(target.isGpu() ? TRUE : FALSE);
    putKey(pickle, "libtorch");
    pickle.write('J'); // an int of 4 bytes
    pickle.writeBytes(littleEndian(target.libtorch()));
    putKey(pickle, "bf16");
    pickle.write(target.isBf16() ? TRUE : FALSE);
    putKey(pickle, "cudnn");
    pickle.write(target.isCudnn() ? TRUE : FALSE);
    pickle.writeBytes(new byte[] {'u', 'b', '.'}); // set, build, stop
    return pickle.toByteArray();
  }

  private static void putKey(ByteArrayOutputStream pickle, String key) {
    pickle.write('X'); // a string after its length in 4 bytes
    pickle.writeBytes(littleEndian(key.length()));
    pickle.writeBytes(key.getBytes(StandardCharsets.US_ASCII));
  }

  private static byte[] littleEndian(int number) {
    return ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN).putInt(number).array();
  }

  private static void put(ZipOutputStream zip, String name, byte[] content) throws IOException {
    zip.putNextEntry(new ZipEntry(name));
    zip.write(content);
    zip.closeEntry();
  }
}
