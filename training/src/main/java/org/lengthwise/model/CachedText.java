package org.lengthwise.model;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.index.NDIndex;
import ai.djl.ndarray.types.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.lengthwise.config.Checks;
import org.lengthwise.positional.LengthUse;
import org.lengthwise.positional.PositionalScheme;
import org.lengthwise.positional.attention.Attention;
import org.lengthwise.positional.attention.LastPositionAttention;
import org.lengthwise.positional.attention.LayerStates;

/**
 * Keeps the keys and values of every position at every executed layer. The next token then costs
 * one position.
 *
 * <p>A pass over the whole text fills the cache: at the first piece, at any piece of several
 * tokens, and where {@link LengthUse#keepsResults} does not hold or the scheme has a pad. A text
 * that exceeds the context is cut to a little more than its latest half, after the pinned tokens,
 * so a full cache is filled again after context / 2 tokens.
 *
 * <p>A model with a {@link Recurrence} reads the whole text again for each token, and the first
 * token that it reads begins a chunk.
 */
final class CachedText implements TextState {
  private final Decoder model;
  private final NDManager results;
  private final NDManager cache;
  private final int context;
  private final int pinned;
  private int[] text = new int[0];
  private LayerStates states;

  /**
   * Keys, values and what a position carries side by side [1, context, 2 G D + E] by executed
   * layer; empty if they are unknown.
   */
  private final List<NDArray> layers = new ArrayList<>();

  CachedText(Decoder model, NDManager manager, int context, int pinned) {
    Checks.atLeast("context", context, model.config().chunk() + pinned);
    this.model = model;
    this.results = manager;
    this.cache = manager.newSubManager();
    this.states = new LayerStates(manager);
    this.context = context;
    this.pinned = pinned;
  }

  @Override
  public NDArray append(int[] tokens) {
    int length = text.length + tokens.length;
    boolean continues = tokens.length == 1 && length <= context && !layers.isEmpty();
    int kept = length <= context ? length : Math.min(context, Math.max(tokens.length, leastKept()));
    int[] whole = IntStream.concat(Arrays.stream(text), Arrays.stream(tokens)).toArray();
    int first = pinned + atChunk(length - kept, length);
    text =
        IntStream.concat(Arrays.stream(whole, 0, pinned), Arrays.stream(whole, first, length))
            .toArray();
    try (NDManager pass = results.newSubManager()) {
      NDArray x_1d = continues ? readLast(pass) : readAll(pass);
      x_1d.attach(results);
      return x_1d;
    }
  }

  /**
   * {@inheritDoc} One pass over the whole text.
   *
   * @throws IllegalArgumentException if the text exceeds the context
   */
  @Override
  public NDArray appendAll(int[] tokens) {
    if (text.length + tokens.length > context) {
      throw new IllegalArgumentException(
          "expected at most %s tokens, found %s".formatted(context, text.length + tokens.length));
    }
    text = IntStream.concat(Arrays.stream(text), Arrays.stream(tokens)).toArray();
    clear();
    try (NDManager pass = results.newSubManager()) {
      NDArray x_nd = model.hidden(embed(0, pass)).get(new NDIndex("0, {}:", -tokens.length));
      x_nd.attach(results);
      return x_nd;
    }
  }

  /** Keys and values of later positions are overwritten. A state cannot go back. */
  @Override
  public boolean cut(int numTokens) {
    if (layers.isEmpty() || hasLinearRecurrence()) {
      return false;
    }
    text = Arrays.copyOf(text, text.length - numTokens);
    return true;
  }

  /** The length of a text that was cut: context / 2 further tokens come before the next cut. */
  private int leastKept() {
    return context - Math.max(1, context / 2) + 1;
  }

  /** The tokens that are dropped. Chunks of a recurrent model begin where they began before. */
  private int atChunk(int dropped, int length) {
    int chunk = model.config().chunk();
    int rounded = (dropped + chunk - 1) / chunk * chunk;
    return rounded < length ? rounded : (length - context + chunk - 1) / chunk * chunk;
  }

  private boolean hasLinearRecurrence() {
    return IntStream.range(0, model.config().layers())
        .anyMatch(k -> model.config().linear(k).isPresent());
  }

  private boolean isKept() {
    if (!model.config().recurrence().equals(Recurrence.none())) {
      return false;
    }
    PositionalScheme scheme = model.config().position();
    boolean hasPad = scheme.reach().padding(0) > 0; // the cache has no rows before the start
    return text.length < context && !hasPad && scheme.lengths().keepsResults().test(text.length);
  }

  private NDArray readAll(NDManager pass) {
    clear();
    NDArray embedded_1Td = embed(0, pass);
    if (!isKept()) {
      return model.lastHidden(embedded_1Td);
    }
    Attention attention = model.layers().withStates(states).attention(text.length, pass);
    NDArray x_1Td =
        model
            .layers()
            .run(
                embedded_1Td,
                text.length,
                (qkv_1T3d, block, level) -> {
                  store(qkv_1T3d, block, level);
                  return attention.attend(qkv_1T3d, block, level);
                });
    return x_1Td.get(new NDIndex(":, -1"));
  }

  private NDArray readLast(NDManager pass) {
    LastPositionAttention attention = model.layers().lastAttention(text.length, pass);
    Attention next =
        hasLinearRecurrence()
            ? model.layers().withStates(states).attention(1, pass)
            : (rows, block, level) -> attention.attend(rows, block);
    NDArray x_11d =
        model
            .layers()
            .run(
                embed(text.length - 1, pass),
                text.length,
                (qkv_113d, block, level) -> {
                  NDArray kv_1T2d = store(qkv_113d, block, level);
                  if (model.config().linear(block).isPresent()) {
                    return next.attend(qkv_113d, block, level);
                  }
                  NDArray q_11d =
                      qkv_113d.get(new NDIndex(":, :, :{}", model.config().attentionWidth()));
                  return attention.attendNext(q_11d, kv_1T2d, block, level);
                });
    if (!isKept()) {
      clear();
    }
    return x_11d.squeeze(1);
  }

  /** The embeddings of the text from a position on. */
  private NDArray embed(int first, NDManager pass) {
    long[] ids = Arrays.stream(text, first, text.length).asLongStream().toArray();
    return model.embed(pass.create(ids, new Shape(1, ids.length)), first);
  }

  /**
   * Stores keys and values of the latest positions. A linear recurrence has none.
   *
   * @return those of all positions [1, T, 2d], a view that the input's manager owns
   */
  private NDArray store(NDArray qkv_1N3d, int block, int level) {
    int perLevel = model.config().blocksOfLevel();
    int layer = level * perLevel + block % perLevel;
    if (model.config().linear(block).isPresent()) {
      if (layer == layers.size()) {
        layers.add(cache.zeros(new Shape(0)));
      }
      return qkv_1N3d;
    }
    long queries = model.config().attentionWidth();
    long width = 2L * model.config().keyWidth() + model.config().numCarried(block);
    if (layer == layers.size()) {
      layers.add(cache.create(new Shape(1, context, width), qkv_1N3d.getDataType()));
    }
    NDArray kept_1S2d = layers.get(layer);
    NDArray kv_1N2d = qkv_1N3d.get(new NDIndex(":, :, {}:", queries));
    kept_1S2d.set(
        new NDIndex(":, {}:{}", text.length - qkv_1N3d.getShape().get(1), text.length), kv_1N2d);
    NDArray kv_1T2d = kept_1S2d.get(new NDIndex(":, :{}", text.length));
    kv_1T2d.attach(qkv_1N3d.getManager());
    return kv_1T2d;
  }

  private void clear() {
    states.close();
    states = new LayerStates(results);
    layers.forEach(NDArray::close);
    layers.clear();
  }

  @Override
  public void close() {
    states.close();
    cache.close();
  }
}
