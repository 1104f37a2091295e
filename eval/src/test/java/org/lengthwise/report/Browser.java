package org.lengthwise.report;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/**
 * A headless Chromium, driven by chromedriver. Both must be on PATH and are never downloaded.
 * Without them a test is skipped with a message that says how to install them.
 */
final class Browser implements AutoCloseable {
  /** The value before a browser is started. */
  static final Browser NONE = new Browser(null);

  private final @Nullable ChromeDriver driver;

  private Browser(@Nullable ChromeDriver driver) {
    this.driver = driver;
  }

  /** Starts a browser, or skips the test. */
  static Browser start(boolean scripts) {
    Optional<Path> chromium = onPath("chromium", "chromium-browser", "google-chrome");
    Optional<Path> chromedriver = onPath("chromedriver");
    assumeTrue(
        chromium.isPresent() && chromedriver.isPresent(),
        "reports are not tested in a browser: chromium or chromedriver is missing from PATH; on"
            + " Debian: apt-get install chromium chromium-driver");
    ChromeOptions options = new ChromeOptions();
    options.setBinary(chromium.orElseThrow().toFile());
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-dev-shm-usage",
        "--disable-gpu",
        "--window-size=1280,900");
    options.addArguments(
        "--disable-background-networking", "--disable-component-update", "--no-first-run");
    if (!scripts) {
      options.setExperimentalOption(
          "prefs", Map.of("profile.managed_default_content_settings.javascript", 2));
    }
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    logs.enable(LogType.PERFORMANCE, Level.ALL);
    options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(chromedriver.orElseThrow().toFile())
            .usingAnyFreePort()
            .build();
    return new Browser(new ChromeDriver(service, options));
  }

  private static Optional<Path> onPath(String... names) {
    return Stream.of(names)
        .flatMap(
            name ->
                Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                    .map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  ChromeDriver driver() {
    if (driver == null) {
      throw new IllegalStateException("no browser was started");
    }
    return driver;
  }

  /** Opens a file at the width of a desktop, in light mode. */
  void open(Path page) {
    command("Emulation.clearDeviceMetricsOverride", Map.of());
    media("", "light");
    // Earlier log entries belong to an earlier page.
    driver().manage().logs().get(LogType.BROWSER);
    driver().manage().logs().get(LogType.PERFORMANCE);
    driver().get(page.toUri().toString());
  }

  /** Sets the width of the page. */
  void width(int pixels) {
    command(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", pixels, "height", 844, "deviceScaleFactor", 2, "mobile", true));
  }

  /** Sets the medium, empty for a screen, and the preferred colour scheme. */
  void media(String medium, String colours) {
    command(
        "Emulation.setEmulatedMedia",
        Map.of(
            "media",
            medium,
            "features",
            List.of(Map.of("name", "prefers-color-scheme", "value", colours))));
  }

  /** Waits until the charts are drawn for the current width of the page. */
  void awaitDrawing() {
    await("document.documentElement.dataset.drawn === String(document.body.clientWidth)");
  }

  /**
   * Waits for a condition. After two frames the page has noticed a new width.
   *
   * @param condition an expression of JavaScript
   */
  void await(String condition) {
    driver()
        .executeAsyncScript(
            """
            const done = arguments[0];
            const check = () => %s ? done() : requestAnimationFrame(check);
            requestAnimationFrame(() => requestAnimationFrame(check));
            """
                .formatted(condition));
  }

  private void command(String name, Map<String, Object> parameters) {
    driver().executeCdpCommand(name, parameters);
  }

  /** The URLs of all requests since the last call. */
  List<String> requestedUrls() {
    ObjectMapper mapper = new ObjectMapper();
    return driver().manage().logs().get(LogType.PERFORMANCE).getAll().stream()
        .map(entry -> message(mapper, entry.getMessage()))
        .filter(message -> message.path("method").asText().equals("Network.requestWillBeSent"))
        .map(message -> message.at("/params/request/url").asText())
        .toList();
  }

  private static JsonNode message(ObjectMapper mapper, String entry) {
    try {
      return mapper.readTree(entry).path("message");
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    if (driver != null) {
      driver.quit();
    }
  }
}
