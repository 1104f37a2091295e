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

  /** What the margins of the print style leave of a sheet of A4, 180 mm. */
  private static final int PAPER_WIDTH = 680;

  private static final String INTERVALS =
      "[data-chart=perplexity] .bar, [data-chart=change] .bar, [data-chart=position] .band,"
          + " [data-chart=field] .band";

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
    assertThat(charts).hasSize(8);
    for (WebElement chart : charts) {
      assertThat(chart.findElements(By.cssSelector("svg .line")))
          .as(chart.getDomAttribute("data-chart"))
          .isNotEmpty();
    }
    assertThat(all("[data-chart=change] g[data-run] .bar")).hasSize(6);
    assertThat(all("[data-chart=position] g[data-run] .band")).hasSize(6);
    assertThat(all("[data-chart=field] .limit")).hasSize(1);
    assertThat(complaints()).isEmpty();
  }

  private List<LogEntry> complaints() {
    return browser.driver().manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() > Level.INFO.intValue())
        .toList();
  }

  @Test
  void oneSchemeAtSeveralLengthsIsUnfolded() {
    WebElement folded = all("details[data-run=alibi]").get(0);
    assertThat(folded.getText()).isEqualTo("ALiBi at 128 and 512 tokens");
    folded.findElement(By.cssSelector("summary")).sendKeys(Keys.ENTER);
    assertThat(folded.findElements(By.cssSelector(".end-label")))
        .extracting(WebElement::getText)
        .containsExactlyInAnyOrder("128 tokens", "512 tokens");
    assertThat(folded.findElements(By.cssSelector(".line"))).hasSize(4);
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
                    """
                    const done = arguments[0];
                    addEventListener("securitypolicyviolation",
                      (event) => done(event.effectiveDirective + " " + event.blockedURI));
                    fetch("https://example.org/").catch(() => {});
                    """))
        .isEqualTo("connect-src https://example.org/");
  }

  @Test
  void theKeyboardTakesARunOutOfEveryChart() {
    assertThat(all("svg g[data-run=alibi]")).hasSizeGreaterThan(3);
    WebElement toggle = all("#runs input[value=alibi]").get(0);
    toggle.sendKeys(Keys.SPACE);
    assertThat(all("svg g[data-run=alibi]")).isEmpty();
    assertThat(all("svg g[data-run=t5]")).isNotEmpty();
    assertThat(all("details[data-run=alibi]")).noneMatch(WebElement::isDisplayed);
    toggle.sendKeys(Keys.SPACE);
    assertThat(all("svg g[data-run=alibi]")).isNotEmpty();
    assertThat(complaints()).isEmpty();
  }

  @Test
  void intervalsAreSwitchedOffAndOn() {
    WebElement toggle = all("#intervals").get(0);
    assertThat(displayOfIntervals()).isNotEmpty().doesNotContain("none");
    toggle.sendKeys(Keys.SPACE);
    assertThat(displayOfIntervals()).containsOnly("none");
    toggle.sendKeys(Keys.SPACE);
    assertThat(displayOfIntervals()).doesNotContain("none");
    assertThat(complaints()).isEmpty();
  }

  private List<String> displayOfIntervals() {
    return all(INTERVALS).stream().map(interval -> interval.getCssValue("display")).toList();
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

  @Test
  void noTableScrollsAtTheWidthOfADesktop() {
    assertThat(
            browser
                .driver()
                .executeScript(
                    """
                    return [...document.querySelectorAll(".wide")]
                      .filter((region) => region.scrollWidth > region.clientWidth)
                      .map((region) => region.getAttribute("aria-label"));
                    """))
        .isEqualTo(List.of());
  }

  @Test
  void everyTableFitsOnPaper() {
    browser.width(PAPER_WIDTH);
    browser.media("print", "light");
    browser.driver().executeScript("dispatchEvent(new Event('beforeprint'))");
    assertThat(all("details.at-length[open]")).as("one for each protocol").hasSize(2);
    assertThat(all("details.at-length:not([open])")).noneMatch(WebElement::isDisplayed);
    assertThat(all("details[data-run]")).allMatch(WebElement::isDisplayed);
    assertThat(
            browser
                .driver()
                .executeScript(
                    """
                    return [...document.querySelectorAll("table")]
                      .filter((table) => table.scrollWidth > document.documentElement.clientWidth)
                      .map((table) => table.caption.textContent);
                    """))
        .isEqualTo(List.of());
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
          .hasSize(7)
          .allMatch(WebElement::isDisplayed)
          .extracting(plot -> plot.getDomAttribute("aria-label"))
          .contains("Loss by position, of 512 tokens", "Loss during training");
      assertThat(driver.findElements(By.cssSelector(".legend, .scripted")))
          .noneMatch(WebElement::isDisplayed);
      assertThat(driver.findElement(By.cssSelector("table")).getText()).contains("ALiBi");
    }
  }
}
