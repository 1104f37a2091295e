package org.lengthwise.dataprep.source;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Another implementation of Parquet, as an oracle. */
public final class DuckDb {

  /** Documents of 33 to 1,900 characters, all different. */
  public static final String DOCUMENTS =
      "SELECT repeat(md5(i::VARCHAR) || ' ', 1 + (i * 7919 %% 57)) AS text FROM range(%s) t(i)";

  private DuckDb() {}

  /** Writes the rows of a query as Parquet, with DuckDB's options. */
  public static Path write(Path file, String query, String options) {
    run("SET threads = 1; COPY (%s) TO '%s' (FORMAT parquet, %s)".formatted(query, file, options));
    return file;
  }

  /** The first column of a query. */
  public static List<@Nullable String> read(String query) {
    List<@Nullable String> values = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        values.add(rows.getString(1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(query, e);
    }
    return values;
  }

  private static void run(String sql) {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      for (String each : sql.split("; ", -1)) {
        statement.execute(each);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(sql, e);
    }
  }
}
