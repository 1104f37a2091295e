package org.lengthwise.dataprep.source;

import java.util.Locale;
import java.util.Set;

/**
 * The extensions of archive entries that are never text, whatever their first bytes.
 *
 * <p>Most such files hold a zero byte early on and are known by it; short images, compressed files
 * and signatures need not. An extension that some program also gives to text is not in here: what
 * it names is looked at.
 */
final class BinaryNames {

  private static final Set<String> EXTENSIONS =
      Set.of(
          // programs
          "class",
          "dll",
          "dylib",
          "exe",
          "o",
          "pyc",
          "so",
          "wasm",
          // images, fonts and pages
          "bmp",
          "gif",
          "ico",
          "jpeg",
          "jpg",
          "otf",
          "pdf",
          "png",
          "tif",
          "tiff",
          "ttf",
          "webp",
          "woff",
          "woff2",
          // sound and film
          "avi",
          "flac",
          "mov",
          "mp3",
          "mp4",
          "ogg",
          "wav",
          "webm",
          // archives and compressed files
          "7z",
          "bz2",
          "gz",
          "jar",
          "rar",
          "tar",
          "tgz",
          "war",
          "xz",
          "zip",
          "zst",
          // keys, and the signatures of jars
          "dsa",
          "jks",
          "p12",
          "rsa");

  private BinaryNames() {}

  /** Whether an entry of this name is of a format that is no text. */
  static boolean contains(String name) {
    String file = name.substring(name.lastIndexOf('/') + 1);
    int dot = file.lastIndexOf('.');
    return dot >= 0 && EXTENSIONS.contains(file.substring(dot + 1).toLowerCase(Locale.ROOT));
  }
}
