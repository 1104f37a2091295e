package org.lengthwise.eval.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.print.PrintOptions;

/** The page in a browser: drawn, usable from the keyboard, quiet, and readable at any width. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportPageIT {
  private static final int PHONE_WIDTH = 390;

  @TempDir private static Path root;

  private Browser browser = Browser.NONE;

  @BeforeAll
  void writeAReportAndStartTheBrowser() throws IOException {
    SmallExperiment.write(root.resolve("results"));
    Report.under(List.of(root.resolve("results")), TableStatisticsTest.CONFIG)
        .write(root.resolve("report"));
    browser = Browser.start(true);
  }

  @BeforeEach
  void openThePage() {
    browser.open(root.resolve("report").resolve(Report.PAGE));
  }

  @AfterAll
  void stopTheBrowser() {
    browser.close();
  }

  private List<WebElement> all(String selector) {
    return browser.driver().findElements(By.cssSelector(selector));
  }

  @Test
  void everyChartIsDrawnWithoutAWordOnTheConsole() {
    List<WebElement> charts = all("[data-chart]");
    assertThat(charts).hasSize(6);
    for (WebElement chart : charts) {
      assertThat(chart.findElements(By.cssSelector("svg .line")))
          .as(chart.getDomAttribute("data-chart"))
          .isNotEmpty();
    }
    assertThat(all("[data-chart=change] g[data-run] .bar")).hasSize(3);
    List<LogEntry> console = browser.driver().manage().logs().get(LogType.BROWSER).getAll();
    assertThat(console)
        .filteredOn(entry -> entry.getLevel().intValue() > Level.INFO.intValue())
        .isEmpty();
  }

  @Test
  void noRequestLeavesThePage() {
    assertThat(browser.requestedUrls())
        .isNotEmpty()
        .allMatch(url -> url.startsWith("file:") || url.startsWith("data:"));
    assertThat(
            browser
                .driver()
                .executeAsyncScript(
                    "const done = arguments[0]; fetch('https://example.org').then(() => done('sent'), () => done('refused'))"))
        .isEqualTo("refused");
  }

  @Test
  void theKeyboardTakesARunOutOfEveryChart() {
    assertThat(all("svg g[data-run=alibi]")).hasSizeGreaterThan(3);
    WebElement toggle = all("#runs input[value=alibi]").get(0);
    toggle.sendKeys(Keys.SPACE);
    assertThat(all("svg g[data-run=alibi]")).isEmpty();
    assertThat(all("svg g[data-run=t5]")).isNotEmpty();
    toggle.sendKeys(Keys.SPACE);
    assertThat(all("svg g[data-run=alibi]")).isNotEmpty();
  }

  @Test
  void arrowKeysReadSinglePoints() {
    WebElement chart = all("[data-chart=perplexity]").get(0);
    WebElement readout = all("[data-chart=perplexity] + .readout").get(0);
    chart.sendKeys(Keys.ARROW_RIGHT);
    String first = readout.getText();
    assertThat(first).contains("128 tokens: perplexity", "95% interval");
    chart.sendKeys(Keys.ARROW_RIGHT);
    assertThat(readout.getText()).contains("256 tokens").isNotEqualTo(first);
    chart.sendKeys(Keys.ESCAPE);
    assertThat(readout.getText()).isEmpty();
  }

  @Test
  void everyTableHasACaptionAndHeaders() {
    assertThat(all("table")).isNotEmpty();
    assertThat(all("table > caption")).hasSameSizeAs(all("table"));
    assertThat(all("tbody th[scope=row]")).hasSameSizeAs(all("tbody tr"));
    assertThat(all("[data-chart]:not([aria-label])")).isEmpty();
    assertThat(all("#runs label input")).hasSameSizeAs(all("#runs label span"));
  }

  @Test
  void aPhoneScrollsInOneDirectionOnly() {
    browser.width(PHONE_WIDTH);
    assertThat(browser.driver().executeScript("return document.documentElement.scrollWidth"))
        .isEqualTo((long) PHONE_WIDTH);
    assertThat(all("[data-chart=perplexity] svg").get(0).getSize().getWidth())
        .isLessThanOrEqualTo(PHONE_WIDTH);
  }

  @Test
  void darkModeTurnsThePageAndPaperTurnsItBack() {
    browser.media("", "dark");
    assertThat(luminance()).isLessThan(0.2);
    browser.media("print", "dark");
    assertThat(luminance()).isEqualTo(1);
    browser.media("", "light");
    assertThat(luminance()).isEqualTo(1);
    byte[] pdf =
        Base64.getDecoder().decode(browser.driver().print(new PrintOptions()).getContent());
    assertThat(new String(pdf, 0, 5, java.nio.charset.StandardCharsets.US_ASCII))
        .isEqualTo("%PDF-");
  }

  /** The brightness of the page's paper, from 0 to 1. */
  private double luminance() {
    String colour = all("body").get(0).getCssValue("background-color");
    List<Integer> parts =
        List.of(colour.replaceAll("[^0-9,]", "").split(",")).stream()
            .map(Integer::valueOf)
            .toList();
    return parts.subList(0, 3).stream().mapToInt(Integer::intValue).sum() / 765.0;
  }

  @Test
  void withoutScriptsThePlotsAreThereAsDrawn() {
    try (Browser plain = Browser.start(false)) {
      plain.open(root.resolve("report").resolve(Report.PAGE));
      ChromeDriver driver = plain.driver();
      assertThat(driver.findElements(By.cssSelector("noscript svg[role=img]")))
          .hasSize(6)
          .allMatch(WebElement::isDisplayed)
          .extracting(plot -> plot.getDomAttribute("aria-label"))
          .contains("Loss by position, of 512 tokens", "Loss during training");
      assertThat(driver.findElements(By.cssSelector(".legend"))).noneMatch(WebElement::isDisplayed);
      assertThat(driver.findElement(By.cssSelector("table")).getText()).contains("ALiBi");
    }
  }
}
