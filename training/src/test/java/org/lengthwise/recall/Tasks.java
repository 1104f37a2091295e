package org.lengthwise.recall;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lengthwise.config.ConfigLoader;
import org.lengthwise.random.RandomStreams;
import org.lengthwise.training.config.TaskConfig;

/** The tasks of conf/task. */
final class Tasks {
  private Tasks() {}

  static DrawnTask of(String name, String... settings) {
    return (DrawnTask)
        ConfigLoader.load(Path.of("../conf/task/" + name + ".yaml"), List.of(settings))
            .bind("task", TaskConfig.class)
            .recall()
            .orElseThrow();
  }

  static List<RecallString> draw(DrawnTask task, Stream stream, int length, int count) {
    RecallTask.Strings strings = task.open(new RandomStreams(7));
    return IntStream.range(0, count).mapToObj(i -> strings.at(stream, length, i)).toList();
  }

  static int[] ids(String text) {
    return Arrays.stream(text.trim().split(" +"))
        .mapToInt(word -> word.equals(".") ? RecallString.NONE : Integer.parseInt(word))
        .toArray();
  }
}
