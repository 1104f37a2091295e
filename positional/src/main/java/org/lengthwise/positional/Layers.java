package org.lengthwise.positional;

import com.fasterxml.jackson.annotation.JsonTypeName;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.lengthwise.config.Checks;

/**
 * A scheme for each layer: block k has entry k mod n of a list of n schemes. Equal entries are one
 * scheme, so their blocks share what blocks of this scheme share. A tensor that blocks share is
 * stored under the index of its first entry.
 *
 * <p>Sources of lists: Yang et al., "RoPE to NoPE and Back Again: A New Hybrid Attention Strategy",
 * 2025 (RNoPE-SWA: three windows with rotations, then none); Meta, Llama 4, 2025 (iRoPE: the same
 * with chunks); Puvvada et al., "SWAN-GPT: An Efficient and Scalable Approach for Long-Context
 * Language Modeling", EMNLP 2025 (none, then three windows); Gemma Team, "Gemma 3 Technical
 * Report", 2025 (five windows, then rotations with another base).
 *
 * @param repeat the schemes of the first blocks, which repeat
 */
@JsonTypeName("layers")
public record Layers(List<PositionalScheme> repeat) implements CompoundScheme, Reach {
  public static final int MOST_SCHEMES = 16;

  public Layers {
    repeat = List.copyOf(repeat);
    int distinct = new HashSet<>(repeat).size();
    Checks.require(
        distinct >= 1 && distinct <= MOST_SCHEMES,
        "repeat",
        "one to sixteen different schemes",
        distinct);
    for (int i = 0; i < repeat.size(); i++) {
      PositionalScheme entry = repeat.get(i);
      String key = "repeat[%s]".formatted(i);
      Checks.require(
          entry.positionTable() == PositionTable.NONE,
          key,
          "a scheme of attention, because positions of embeddings belong to no layer",
          entry.label());
      Checks.require(
          !entry.reach().hasDilation(),
          key,
          "a scheme of one level, because the levels of regulargpt are passes over all layers",
          entry.label());
      Checks.require(
          !(entry instanceof Layers), key, "a scheme of one layer, not another list", "layers");
    }
  }

  @Override
  public List<PositionalScheme> parts() {
    return repeat;
  }

  @Override
  public PositionalScheme withParts(UnaryOperator<PositionalScheme> change) {
    List<PositionalScheme> changed = repeat.stream().map(change).toList();
    return changed.equals(repeat) ? this : new Layers(changed);
  }

  /** {@return the first entry of the list that equals the one of block k} */
  public int entry(int block) {
    return repeat.indexOf(part(block));
  }

  @Override
  public PositionalScheme part(int block) {
    return repeat.get(block % repeat.size());
  }

  @Override
  public int period() {
    return repeat.size();
  }

  @Override
  public PositionalScheme inBlock(int block) {
    return part(block).inBlock(block);
  }

  @Override
  public <R> R accept(AttentionForm<R> form) {
    return form.layers(this);
  }

  @Override
  public String summary() {
    return repeat.stream()
        .map(PositionalScheme::label)
        .collect(Collectors.joining(", ", "the layers in turn: ", "; Yang et al. 2025"));
  }

  @Override
  public List<PositionalParameter> parameters(int heads, int width) {
    List<PositionalParameter> parameters = new ArrayList<>();
    for (int i = 0; i < repeat.size(); i++) {
      int first = i;
      if (entry(i) == i) {
        List<Integer> own =
            IntStream.range(i, repeat.size()).filter(k -> entry(k) == first).boxed().toList();
        var blocks = new PositionalParameter.Blocks(own, repeat.size(), i + ".");
        repeat.get(i).parameters(heads, width).forEach(it -> parameters.add(it.in(blocks)));
      }
    }
    return parameters;
  }

  @Override
  public Reach reach() {
    return repeat.size() == 1 ? part(0).reach() : this;
  }

  @Override
  public boolean hasLaterKeys() {
    return repeat.stream().allMatch(part -> part.reach().hasLaterKeys());
  }

  @Override
  public boolean seesAllKeys() {
    return repeat.stream().anyMatch(part -> part.reach().seesAllKeys());
  }

  @Override
  public long firstKey(int block, long query) {
    return part(block).reach().firstKey(block, query);
  }

  @Override
  public long alignment() {
    return repeat.stream()
        .map(part -> BigInteger.valueOf(part.reach().alignment()))
        .reduce(BigInteger.ONE, (a, b) -> a.divide(a.gcd(b)).multiply(b))
        .min(BigInteger.valueOf(Long.MAX_VALUE))
        .longValueExact();
  }

  @Override
  public Optional<String> noTemperature() {
    return repeat.stream().flatMap(part -> part.noTemperature().stream()).findFirst();
  }

  /** One layer that can have it is enough. */
  @Override
  public Optional<PositionalScheme> tempered(Temperature temperature) {
    return changed(part -> part.tempered(temperature));
  }

  /** The tensors of all layers have one width, and those of gates have d. */
  @Override
  public void requireShape(int heads, int headWidth, int width) {
    CompoundScheme.super.requireShape(heads, headWidth, width);
    Checks.require(
        cost(heads).numCarried() == 0 || heads * headWidth == width,
        "model.attention.head_width",
        "heads that make the width %s, because layers have gates".formatted(width),
        heads * headWidth);
  }

  @Override
  public void requireFinite(List<PositionalValues> blocks, long length) {
    for (PositionalScheme part : Set.copyOf(repeat)) {
      List<PositionalValues> own =
          blocks.stream().filter(values -> part(values.block()).equals(part)).toList();
      part.requireFinite(own, length);
    }
  }

  @Override
  public boolean attendsByDistance() {
    return repeat.stream().allMatch(PositionalScheme::attendsByDistance);
  }

  @Override
  public double[] rotate(double[] vector_D, long position, long length) {
    throw new UnsupportedOperationException("a list of schemes rotates by block");
  }

  @Override
  public double[] weights(double[] scores_N) {
    throw new UnsupportedOperationException("a list of schemes weighs by block");
  }
}
