package org.lengthwise.dataprep.source;

import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The extensions of archive entries that are never text, whatever their first bytes.
 *
 * <p>Most such files hold a zero byte early on and are known by it; short images, compressed files
 * and signatures need not. An extension that some program also gives to text is not in here: what
 * it names is looked at.
 */
final class BinaryNames {

  private static final String PROGRAMS = "class dll dylib exe o pyc so wasm";
  private static final String IMAGES = "bmp gif ico jpeg jpg png tif tiff webp";
  private static final String PAGES_AND_FONTS = "otf pdf ttf woff woff2";
  private static final String SOUND_AND_FILM = "avi flac mov mp3 mp4 ogg wav webm";
  private static final String PACKED = "7z bz2 gz jar rar tar tgz war xz zip zst";
  private static final String KEYS_AND_SIGNATURES = "dsa jks p12 rsa";

  private static final Set<String> EXTENSIONS =
      Stream.of(PROGRAMS, IMAGES, PAGES_AND_FONTS, SOUND_AND_FILM, PACKED, KEYS_AND_SIGNATURES)
          .flatMap(extensions -> Stream.of(extensions.split(" ", -1)))
          .collect(Collectors.toUnmodifiableSet());

  private BinaryNames() {}

  /** Whether an entry of this name is of a format that is no text. */
  static boolean contains(String name) {
    String file = name.substring(name.lastIndexOf('/') + 1);
    int dot = file.lastIndexOf('.');
    return dot >= 0 && EXTENSIONS.contains(file.substring(dot + 1).toLowerCase(Locale.ROOT));
  }
}
