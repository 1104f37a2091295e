package org.lengthwise.cli;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

/**
 * Captures the log of one class instead of printing it, so that a test can check expected errors.
 */
public final class CapturedLog extends AbstractAppender implements AutoCloseable {
  private final Logger logger;
  private final List<String> lines = new CopyOnWriteArrayList<>();

  /** Captures what a class logs until this is closed. */
  public CapturedLog(Class<?> source) {
    this(source.getName());
  }

  /** Captures what all classes of a package log until this is closed. */
  CapturedLog(Package source) {
    this(source.getName());
  }

  private CapturedLog(String source) {
    super("captured", null, null, true, Property.EMPTY_ARRAY);
    start();
    logger = (Logger) LogManager.getLogger(source);
    logger.addAppender(this);
    logger.setAdditive(false);
  }

  @Override
  public void append(LogEvent event) {
    String cause = event.getThrown() == null ? "" : ": " + event.getThrown();
    lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage() + cause);
  }

  /** Each event as its level, its message and its exception. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void close() {
    logger.removeAppender(this);
    logger.setAdditive(true);
    stop();
  }
}
