package org.lengthwise.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
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

/** The page in a browser: charts, keyboard, console, requests, widths, dark mode and paper. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReportPageIT {
  private static final int PHONE_WIDTH = 390;

  /** A sheet of A4 without the margins of the print style, 180 mm. */
  private static final int PAPER_WIDTH = 680;

  private static final String INTERVALS =
      "[data-chart^=perplexity] .bar, [data-chart^=change] .bar, [data-chart^=positions] .band,"
          + " [data-chart=receptive-field-512] .band";

  @TempDir private static Path root;

  private Browser browser = Browser.NONE;

  @BeforeAll
  void writeAReportAndStartTheBrowser() throws IOException {
    SmallExperiment.write(root.resolve("results"));
    Report.under(List.of(root.resolve("results")), SmallExperiment.CONFIG)
        .write(root.resolve("report"));
    browser = Browser.start(true);
  }

  @BeforeEach
  void openThePage() {
    browser.open(root.resolve("report").resolve(Report.PAGE));
    browser.awaitDrawing();
  }

  @AfterAll
  void stopTheBrowser() {
    browser.close();
  }

  private List<WebElement> all(String selector) {
    return browser.driver().findElements(By.cssSelector(selector));
  }

  @Test
  void everyChartIsDrawnWithoutAMessageOnTheConsole() {
    assertThat(all("[data-chart]")).hasSize(8);
    assertThat(script("(chart) => chart.querySelectorAll('svg .line').length", "[data-chart]"))
        .hasSize(8)
        .doesNotContain(0L);
    assertThat(all("[data-chart=change-aligned] g[data-run] .bar")).hasSize(6);
    assertThat(all("[data-chart^=positions] g[data-run] .band")).hasSize(6);
    assertThat(all("[data-chart=receptive-field-512] .limit")).hasSize(1);
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
    // The page draws an unfolded chart again. Then the chart has a width.
    browser.await(
        "document.querySelector('details[data-run=alibi] [data-drawn]').dataset.drawn !== '0'");
    assertThat(texts("details[data-run=alibi] .end-label"))
        .containsExactlyInAnyOrder("128 tokens", "512 tokens");
    assertThat(all("details[data-run=alibi] .line")).hasSize(4);
  }

  /** The texts of all elements, in one call because an element may be drawn again at any time. */
  private List<Object> texts(String selector) {
    return script("(element) => element.textContent", selector);
  }

  /** The values of a function for all elements, in one call. */
  private List<Object> script(String function, String selector) {
    Object values =
        browser
            .driver()
            .executeScript(
                "return [...document.querySelectorAll(arguments[0])].map(%s)".formatted(function),
                selector);
    return List.copyOf((List<?>) Objects.requireNonNull(values));
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
  void theKeyboardRemovesARunFromEveryChart() {
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

  private List<Object> displayOfIntervals() {
    return script("(interval) => getComputedStyle(interval).display", INTERVALS);
  }

  @Test
  void arrowKeysReadSinglePoints() {
    WebElement chart = all("[data-chart=perplexity-aligned]").get(0);
    WebElement readout = all("[data-chart=perplexity-aligned] + .readout").get(0);
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
  void aPhoneScrollsOnlyVertically() {
    browser.width(PHONE_WIDTH);
    browser.awaitDrawing();
    assertThat(browser.driver().executeScript("return document.documentElement.scrollWidth"))
        .isEqualTo((long) PHONE_WIDTH);
    assertThat(script("(svg) => svg.clientWidth <= innerWidth", "[data-chart] svg"))
        .isNotEmpty()
        .containsOnly(true);
  }

  @Test
  void thePageIsDarkInDarkModeAndLightOnPaper() {
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
    browser.awaitDrawing();
    assertThat(all("details[open]:not(.unprinted) caption"))
        .as("the differences at the longest length of each protocol")
        .filteredOn(caption -> caption.getText().startsWith("Paired differences"))
        .hasSize(2);
    assertThat(all("details.unprinted")).noneMatch(WebElement::isDisplayed);
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

  /** The brightness of the background, from 0 to 1. */
  private double luminance() {
    String colour = all("body").get(0).getCssValue("background-color");
    List<Integer> parts =
        List.of(colour.replaceAll("[^0-9,]", "").split(",")).stream()
            .map(Integer::valueOf)
            .toList();
    return parts.subList(0, 3).stream().mapToInt(Integer::intValue).sum() / 765.0;
  }

  @Test
  void withoutScriptsThePicturesAreVisible() {
    try (Browser plain = Browser.start(false)) {
      plain.open(root.resolve("report").resolve(Report.PAGE));
      ChromeDriver driver = plain.driver();
      assertThat(driver.findElements(By.cssSelector("noscript [role=img]")))
          .hasSize(7)
          .allMatch(WebElement::isDisplayed)
          .extracting(plot -> plot.getDomAttribute("aria-label"))
          .contains("Loss by position, by-position protocol, 512 tokens", "Loss during training");
      assertThat(driver.findElements(By.cssSelector(".legend, .scripted")))
          .noneMatch(WebElement::isDisplayed);
      assertThat(driver.findElement(By.cssSelector("table")).getText()).contains("ALiBi");
    }
  }
}
