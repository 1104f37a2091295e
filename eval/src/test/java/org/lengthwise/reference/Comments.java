package org.lengthwise.reference;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.ReferenceTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The javadoc comments of the classes in source files, as Markdown. */
final class Comments {
  /** By the name of a class, or of a class and its field after #. */
  private final Map<String, DocCommentTree> byName = new HashMap<>();

  private final List<Path> folders;

  /**
   * Parses a source file when a comment of its class is needed for the first time.
   *
   * @param folders the folders with sources
   */
  Comments(List<Path> folders) {
    this.folders = List.copyOf(folders);
  }

  private void read(Path source) {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(null, files, null, null, null, files.getJavaFileObjects(source));
      DocTrees trees = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        scan(unit, trees);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void scan(CompilationUnitTree unit, DocTrees trees) {
    new TreePathScanner<Void, String>() {
      @Override
      public Void visitClass(ClassTree type, String outer) {
        String name = outer + type.getSimpleName();
        DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
        if (comment != null) {
          byName.put(name, comment);
        }
        return super.visitClass(type, name + "$");
      }

      @Override
      public Void visitVariable(VariableTree field, String outer) {
        DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
        if (comment != null) {
          byName.put(outer.replaceFirst("\\$$", "#") + field.getName(), comment);
        }
        return null;
      }
    }.scan(unit, unit.getPackageName() + ".");
  }

  /** The first sentence on a class. */
  String sentence(Class<?> type) {
    return text(comment(type.getName()).getFirstSentence());
  }

  /** The first sentence on a constant. */
  String sentence(Enum<?> constant) {
    return text(
        comment(constant.getDeclaringClass().getName() + "#" + constant.name()).getFirstSentence());
  }

  /** What the comment of a record says on a component. */
  String component(Class<?> type, String name) {
    return comment(type.getName()).getBlockTags().stream()
        .filter(ParamTree.class::isInstance)
        .map(ParamTree.class::cast)
        .filter(param -> param.getName().getName().contentEquals(name))
        .map(param -> text(param.getDescription()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(type + " has no @param " + name));
  }

  private DocCommentTree comment(String name) {
    if (!byName.containsKey(name)) {
      String file = name.replaceFirst("[$#].*", "").replace('.', '/') + ".java";
      folders.stream()
          .map(folder -> folder.resolve(file))
          .filter(Files::exists)
          .forEach(this::read);
    }
    DocCommentTree comment = byName.get(name);
    if (comment == null) {
      throw new AssertionError("no comment on " + name);
    }
    return comment;
  }

  private static String text(List<? extends DocTree> parts) {
    return parts.stream()
        .map(Comments::text)
        .collect(Collectors.joining())
        .replaceAll("\\s+", " ")
        .strip();
  }

  private static String text(DocTree part) {
    if (part instanceof LiteralTree literal) {
      return part.getKind() == DocTree.Kind.CODE
          ? "`" + literal.getBody().toString().strip() + "`"
          : literal.getBody().toString();
    }
    if (part instanceof LinkTree link) {
      return link.getLabel().isEmpty() ? member(link.getReference()) : text(link.getLabel());
    }
    return part.toString();
  }

  /** The last name of a reference, as a key or a class is written. */
  private static String member(ReferenceTree reference) {
    String name = reference.getSignature().replaceFirst("[(].*", "");
    return "`" + name.substring(Math.max(name.lastIndexOf('#'), name.lastIndexOf('.')) + 1) + "`";
  }
}
