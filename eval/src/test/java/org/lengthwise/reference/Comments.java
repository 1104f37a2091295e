package org.lengthwise.reference;

import com.sun.source.doctree.DocCommentTree;
import com.sun.source.doctree.DocTree;
import com.sun.source.doctree.LinkTree;
import com.sun.source.doctree.LiteralTree;
import com.sun.source.doctree.ParamTree;
import com.sun.source.doctree.ReferenceTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreePathScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** The javadoc comments of the classes in source files, as Markdown. */
final class Comments {
  private final Map<String, DocCommentTree> byClass = new HashMap<>();

  private Comments() {}

  /** Parses all sources below some folders. */
  static Comments below(List<Path> folders) throws IOException {
    Comments comments = new Comments();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    try (StandardJavaFileManager files =
        compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(in(folders)));
      DocTrees trees = DocTrees.instance(task);
      for (CompilationUnitTree unit : task.parse()) {
        comments.scan(unit, trees);
      }
    }
    return comments;
  }

  private static List<Path> in(List<Path> folders) throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path folder : folders) {
      try (Stream<Path> files = Files.walk(folder)) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    return sources;
  }

  private void scan(CompilationUnitTree unit, DocTrees trees) {
    new TreePathScanner<Void, String>() {
      @Override
      public Void visitClass(ClassTree type, String outer) {
        String name = outer + type.getSimpleName();
        DocCommentTree comment = trees.getDocCommentTree(getCurrentPath());
        if (comment != null) {
          byClass.put(name, comment);
        }
        return super.visitClass(type, name + "$");
      }
    }.scan(unit, unit.getPackageName() + ".");
  }

  /** The first sentence on a class. */
  String sentence(Class<?> type) {
    return text(comment(type).getFirstSentence());
  }

  /** What the comment of a record says on a component. */
  String component(Class<?> type, String name) {
    return comment(type).getBlockTags().stream()
        .filter(ParamTree.class::isInstance)
        .map(ParamTree.class::cast)
        .filter(param -> param.getName().getName().contentEquals(name))
        .map(param -> text(param.getDescription()))
        .findFirst()
        .orElseThrow(() -> new AssertionError(type + " has no @param " + name));
  }

  private DocCommentTree comment(Class<?> type) {
    DocCommentTree comment = byClass.get(type.getName());
    if (comment == null) {
      throw new AssertionError("no comment on " + type);
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
          ? "`" + literal.getBody() + "`"
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
