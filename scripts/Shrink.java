import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Removes from the jars of a folder the classes that no command can reach, and the symbols of native
 * libraries. The jars are stored without compression, since the archive around them compresses them
 * together. scripts/bundle.sh runs it.
 *
 * <pre>java Shrink.java FOLDER ROOTS DROPPED</pre>
 *
 * <p>Jars whose name matches the pattern ROOTS stay whole. A class of another jar stays if a class or
 * a file that stays has its name in it, as a type, in a descriptor or in a text. So classes that are
 * loaded by their name stay, too, also by a name whose end is computed. A file of META-INF/services names providers, which stay if their
 * service stays. Files whose name matches the pattern DROPPED go.
 */
final class Shrink {
  private static final String SERVICES = "META-INF/services/";
  private static final Pattern VERSION = Pattern.compile("META-INF/versions/\\d+/(.*)");
  private static final Pattern NAME = Pattern.compile("[\\w$]+(?:[./][\\w$]+)+[./]?");

  private final Path folder;
  private final Pattern roots;
  private final Pattern dropped;

  /** The content of each jar, by its file and then by the names of its files, sorted. */
  private final Map<Path, Map<String, byte[]>> jars = new TreeMap<>();

  /** The files of each class: its own, and those for later releases of Java. */
  private final NavigableMap<String, List<byte[]>> classes = new TreeMap<>();

  /** The texts that name the providers of a service. */
  private final Map<String, List<byte[]>> providers = new LinkedHashMap<>();

  private final Set<String> reached = new HashSet<>();
  private final Deque<String> next = new ArrayDeque<>();

  private Shrink(Path folder, Pattern roots, Pattern dropped) {
    this.folder = folder;
    this.roots = roots;
    this.dropped = dropped;
  }

  public static void main(String[] arguments) throws IOException {
    Shrink shrink =
        new Shrink(
            Path.of(arguments[0]), Pattern.compile(arguments[1]), Pattern.compile(arguments[2]));
    shrink.read();
    shrink.reach();
    shrink.write();
  }

  private void read() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(folder)) {
      files = all.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
    }
    for (Path file : files) {
      Map<String, byte[]> content = new TreeMap<>();
      try (ZipFile zip = new ZipFile(file.toFile())) {
        for (Enumeration<? extends ZipEntry> all = zip.entries(); all.hasMoreElements(); ) {
          ZipEntry entry = all.nextElement();
          if (!entry.isDirectory() && !dropped.matcher(entry.getName()).matches()) {
            byte[] bytes = zip.getInputStream(entry).readAllBytes();
            content.put(entry.getName(), entry.getName().endsWith(".so") ? strip(bytes) : bytes);
          }
        }
      }
      jars.put(file, content);
      content.forEach(this::index);
    }
  }

  /** Removes the symbols that only a debugger reads, with the program strip. */
  private static byte[] strip(byte[] library) throws IOException {
    Path file = Files.createTempFile("library", ".so");
    try {
      Files.write(file, library);
      Process strip =
          new ProcessBuilder("strip", "--strip-unneeded", file.toString()).inheritIO().start();
      if (strip.onExit().join().exitValue() != 0) {
        throw new IOException("strip failed");
      }
      return Files.readAllBytes(file);
    } finally {
      Files.delete(file);
    }
  }

  private void index(String name, byte[] content) {
    if (isClass(name)) {
      classes.computeIfAbsent(className(name), any -> new ArrayList<>()).add(content);
    } else if (name.startsWith(SERVICES)) {
      String service = name.substring(SERVICES.length()).replace('.', '/');
      providers.computeIfAbsent(service, any -> new ArrayList<>()).add(content);
    }
  }

  private static boolean isClass(String name) {
    return name.endsWith(".class");
  }

  private static String className(String name) {
    Matcher versioned = VERSION.matcher(name);
    String path = versioned.matches() ? versioned.group(1) : name;
    return path.substring(0, path.length() - ".class".length());
  }

  private void reach() throws IOException {
    jars.forEach(
        (jar, content) -> {
          boolean whole = roots.matcher(jar.getFileName().toString()).matches();
          content.forEach(
              (name, bytes) -> {
                if (isClass(name)) {
                  if (whole) {
                    add(className(name));
                  }
                } else if (!name.startsWith(SERVICES)) {
                  addNamesIn(new String(bytes, StandardCharsets.ISO_8859_1));
                }
              });
        });
    providers.forEach(
        (service, texts) -> {
          if (!classes.containsKey(service)) { // of the JDK
            texts.forEach(text -> addNamesIn(new String(text, StandardCharsets.UTF_8)));
          }
        });
    while (!next.isEmpty()) {
      String name = next.remove();
      for (byte[] content : classes.get(name)) {
        addConstants(content);
      }
      for (byte[] text : providers.getOrDefault(name, List.of())) {
        addNamesIn(new String(text, StandardCharsets.UTF_8));
      }
    }
  }

  /** Adds a class, or the classes of a package whose names begin so. */
  private void add(String name) {
    List<String> named =
        classes.containsKey(name)
            ? List.of(name)
            : classes.tailMap(name).keySet().stream()
                .takeWhile(full -> full.startsWith(name))
                .filter(full -> full.indexOf('/', name.length()) < 0)
                .toList();
    named.stream().filter(reached::add).forEach(next::add);
  }

  private void addNamesIn(String text) {
    Matcher names = NAME.matcher(text);
    while (names.find()) {
      String name = names.group().replace('.', '/');
      add(name);
      add(name.substring(1)); // after the L of a descriptor, or the length in a list of Log4j's plugins
    }
  }

  /** Reads the texts in the constant pool of a class, by the JVM's specification, chapter 4.4. */
  private void addConstants(byte[] content) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
    in.skipBytes(8); // magic number, version
    int count = in.readUnsignedShort();
    for (int index = 1; index < count; index++) {
      int tag = in.readUnsignedByte();
      switch (tag) {
        case 1 -> addNamesIn(in.readUTF());
        case 7, 8, 16, 19, 20 -> in.skipBytes(2);
        case 15 -> in.skipBytes(3);
        case 3, 4, 9, 10, 11, 12, 17, 18 -> in.skipBytes(4);
        case 5, 6 -> {
          in.skipBytes(8);
          index++; // long and double have two numbers
        }
        default -> throw new IOException("unknown constant " + tag);
      }
    }
  }

  private void write() throws IOException {
    for (Map.Entry<Path, Map<String, byte[]>> jar : jars.entrySet()) {
      Map<String, byte[]> kept = new TreeMap<>(jar.getValue());
      kept.keySet().removeIf(name -> isClass(name) && !reached.contains(className(name)));
      try (OutputStream file = Files.newOutputStream(jar.getKey());
          ZipOutputStream zip = new ZipOutputStream(file)) {
        for (Map.Entry<String, byte[]> entry : kept.entrySet()) {
          store(zip, entry.getKey(), entry.getValue());
        }
      }
    }
  }

  private static void store(ZipOutputStream zip, String name, byte[] content) throws IOException {
    CRC32 checksum = new CRC32();
    checksum.update(content);
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(content.length);
    entry.setCrc(checksum.getValue());
    entry.setTime(0);
    zip.putNextEntry(entry);
    zip.write(content);
    zip.closeEntry();
  }
}
