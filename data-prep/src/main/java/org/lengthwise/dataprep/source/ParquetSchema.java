package org.lengthwise.dataprep.source;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.apache.parquet.schema.Type;
import org.apache.parquet.schema.Type.Repetition;
import org.lengthwise.error.ConfigException;
import org.lengthwise.error.Nearest;

final class ParquetSchema {

  private static final int MOST_SHOWN = 50;

  private ParquetSchema() {}

  /**
   * The column that holds the documents, one string for each row.
   *
   * @throws ConfigException if the file lacks it, or if it does not hold one string for each row
   */
  static ColumnDescriptor textColumn(InputFile file, MessageType schema) {
    String name = file.reading().textColumn();
    String[] path = schema.containsField(name) ? new String[] {name} : name.split("\\.", -1);
    Type type = schema;
    for (String field : path) {
      if (type.isPrimitive() || !type.asGroupType().containsField(field)) {
        throw refused(file, schema, "no such column");
      }
      type = type.asGroupType().getType(field);
      if (type.isRepetition(Repetition.REPEATED) || isList(type)) {
        throw refused(file, schema, "a list, " + String.join(".", path));
      }
    }
    if (!type.isPrimitive()) {
      throw refused(file, schema, "a struct with the fields " + fields(type.asGroupType()));
    }
    PrimitiveType column = type.asPrimitiveType();
    if (column.getPrimitiveTypeName() != PrimitiveTypeName.BINARY
        || column.getLogicalTypeAnnotation() instanceof DecimalLogicalTypeAnnotation) {
      throw refused(file, schema, "a column of " + shown(column));
    }
    return schema.getColumnDescription(path);
  }

  private static boolean isList(Type type) {
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    return annotation instanceof LogicalTypeAnnotation.ListLogicalTypeAnnotation
        || annotation instanceof LogicalTypeAnnotation.MapLogicalTypeAnnotation;
  }

  private static ConfigException refused(InputFile file, MessageType schema, String found) {
    List<String> columns = schema.getPaths().stream().map(path -> String.join(".", path)).toList();
    String name = file.reading().textColumn();
    return new ConfigException(
        "--text-column " + name,
        "a column of strings in " + file.uri(),
        found,
        "name one of its columns%s: %s"
            .formatted(
                Nearest.suggestion(
                    name, columns.stream().filter(column -> !column.equals(name)).toList()),
                columns(schema)));
  }

  private static String columns(MessageType schema) {
    return schema.getColumns().stream()
        .map(
            column ->
                String.join(".", Arrays.asList(column.getPath()))
                    + " "
                    + shown(column.getPrimitiveType()))
        .limit(MOST_SHOWN)
        .reduce((all, next) -> all + ", " + next)
        .orElse("none");
  }

  private static String fields(GroupType struct) {
    return String.join(", ", struct.getFields().stream().map(Type::getName).toList());
  }

  static String shown(PrimitiveType type) {
    LogicalTypeAnnotation annotation = type.getLogicalTypeAnnotation();
    Object named = annotation == null ? type.getPrimitiveTypeName() : annotation;
    return named.toString().toLowerCase(Locale.ROOT);
  }
}
