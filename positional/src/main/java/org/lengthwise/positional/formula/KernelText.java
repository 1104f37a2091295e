package org.lengthwise.positional.formula;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.lengthwise.positional.formula.Expression.Apply;
import org.lengthwise.positional.formula.Expression.Choice;
import org.lengthwise.positional.formula.Expression.Entry;
import org.lengthwise.positional.formula.Expression.Literal;
import org.lengthwise.positional.formula.Expression.Named;
import org.lengthwise.positional.formula.Expression.Parameter;

/**
 * Writes the kernels of a formula as TorchScript: two methods of a module.
 *
 * <p>{@code formula_fixed(m, n, T, layer)} has the query m [1, w, 1] or [1, 1, n] and the key n [1,
 * 1, n] in float64. It computes in float64 all that depends on no parameter, so that whole numbers
 * such as indices are exact. It returns a list c of float32: c[0] is 1 where the query sees the key
 * and 0 elsewhere, the others are the largest parts of the formula without parameters, each [H or
 * 1, w or 1, n or 1]. Where a key is hidden or after the query, the parts are those of the query's
 * own position. So they are finite, and the gradient of no hidden pair becomes NaN.
 *
 * <p>{@code formula_bias(c, p)} computes the bias [H, w, n] from these parts and the parameters, in
 * float32 and with gradients. p holds a parameter as [H or 1, 1, 1], or as [H or 1, S] if it has a
 * size. Hidden pairs have a bias of -1e30.
 *
 * <p>Implementation note: a choice between parts with parameters computes each branch only for the
 * pairs that take it. {@code torch.where} would compute both branches everywhere, and a gradient of
 * 0 times infinity would be NaN.
 */
public final class KernelText {
  private static final String FIXED =
      "  def formula_fixed(self: __torch__.Kernels, m: Tensor, n: Tensor, T: Tensor,"
          + " layer: Tensor) -> List[Tensor]:";
  private static final String BIAS =
      "  def formula_bias(self: __torch__.Kernels, c: List[Tensor], p: List[Tensor]) -> Tensor:";

  private final int heads;
  private final List<String> parameters;
  private final List<String> lines = new ArrayList<>();
  private final Map<Expression, Integer> fixed = new LinkedHashMap<>();

  private KernelText(int heads, List<String> parameters) {
    this.heads = heads;
    this.parameters = parameters;
  }

  /**
   * {@return the TorchScript source of the methods of a formula, indented as methods of a class}
   *
   * @param bias the bias, {@linkplain Unrolling without sums}
   * @param visible the condition without sums and parameters, or null if all earlier keys are seen
   * @param hasHidden whether some pairs are hidden: by the condition, or because the key is later
   * @param heads H
   * @param parameters the names of the parameters in the order of p
   */
  public static String of(
      Expression bias,
      @Nullable Expression visible,
      boolean hasHidden,
      int heads,
      List<String> parameters) {
    KernelText text = new KernelText(heads, parameters);
    String methodOfBias = text.bias(bias, hasHidden);
    return text.fixed(visible) + "\n" + methodOfBias;
  }

  private String method(String head, String result) {
    String body = String.join("\n    ", lines);
    lines.clear();
    return head + "\n    " + body + "\n    return " + result + "\n";
  }

  private String line(String value) {
    String name = "x" + lines.size();
    lines.add(name + " = " + value);
    return name;
  }

  private String bias(Expression bias, boolean hasHidden) {
    lines.add("size = [%s, c[0].size(1), c[0].size(2)]".formatted(heads));
    String value = new Scope(null, "").value(bias);
    String all = "torch.expand(" + value + ", size)";
    return method(
        BIAS, hasHidden ? "torch.masked_fill(%s, torch.eq(c[0], 0), -1e30)".formatted(all) : all);
  }

  private String fixed(@Nullable Expression visible) {
    Map<Variable, String> names = new EnumMap<>(Variable.class);
    names.put(Variable.QUERY, "m");
    names.put(Variable.KEY, line("torch.minimum(n, m)"));
    names.put(Variable.DELTA, line("torch.sub(m, %s)".formatted(names.get(Variable.KEY))));
    names.put(Variable.LENGTH, line("torch.new_full(m, [1, 1, 1], float(T))"));
    names.put(Variable.LAYER, line("torch.new_full(m, [1, 1, 1], float(layer))"));
    names.put(
        Variable.HEAD,
        line(
            "torch.reshape(torch.arange(1, %s, dtype=7, device=m.device), [%s, 1, 1])"
                .formatted(heads + 1, heads)));
    String seen = line("torch.le(n, m)");
    if (visible != null) {
      String condition = new Fixed(Map.copyOf(names)).value(visible);
      seen = line("torch.__and__(%s, torch.ne(%s, 0))".formatted(seen, condition));
    }
    String key = line("torch.where(%s, %s, m)".formatted(seen, names.get(Variable.KEY)));
    names.put(Variable.KEY, key);
    names.put(Variable.DELTA, line("torch.sub(m, %s)".formatted(key)));
    Fixed parts = new Fixed(names);
    StringBuilder results = new StringBuilder("torch.to(" + seen + ", 6)");
    for (Expression part : fixed.keySet()) {
      results.append(", torch.to(").append(parts.value(part)).append(", 6)");
    }
    return method(FIXED, "[" + results + "]");
  }

  /** Parts without parameters, in float64. */
  private final class Fixed {
    private final Map<Variable, String> names;
    private final Map<Expression, String> known = new HashMap<>();

    Fixed(Map<Variable, String> names) {
      this.names = names;
    }

    String value(Expression expression) {
      String value = known.get(expression);
      if (value == null) {
        value = compute(expression);
        known.put(expression, value);
      }
      return value;
    }

    private String compute(Expression expression) {
      if (expression instanceof Literal literal) {
        return line("torch.new_full(m, [1, 1, 1], %s)".formatted(literal.value()));
      } else if (expression instanceof Named named && names.get(named.variable()) != null) {
        return String.valueOf(names.get(named.variable()));
      } else if (expression instanceof Choice choice) {
        return line(
            "torch.where(torch.ne(%s, 0), %s, %s)"
                .formatted(
                    value(choice.condition()), value(choice.then()), value(choice.otherwise())));
      } else if (expression instanceof Apply apply) {
        return line(
            apply.operation().torchScript(apply.arguments().stream().map(this::value).toArray()));
      }
      throw new AssertionError(expression);
    }
  }

  /** The pairs that take a branch: all of them, or those of a mask in the scope around it. */
  private final class Scope {
    private final @Nullable Scope around;
    private final String mask;
    private final Map<Expression, String> known = new HashMap<>();

    Scope(@Nullable Scope around, String mask) {
      this.around = around;
      this.mask = mask;
    }

    String value(Expression expression) {
      String value = known.get(expression);
      if (value == null) {
        value = isLeaf(expression) ? leaf(expression) : compute(expression);
        known.put(expression, value);
      }
      return value;
    }

    private boolean isLeaf(Expression expression) {
      return expression.parameters().isEmpty()
          || expression instanceof Parameter
          || expression instanceof Entry;
    }

    /** What is read, not computed. A branch selects its pairs from the scope around it. */
    private String leaf(Expression expression) {
      if (around == null) {
        return read(expression);
      }
      String outer = around.value(expression);
      String all = around.around == null ? "torch.expand(%s, size)".formatted(outer) : outer;
      return line("torch.masked_select(%s, %s)".formatted(all, mask));
    }

    private String read(Expression expression) {
      if (expression instanceof Parameter parameter) {
        return line("p[%s]".formatted(parameters.indexOf(parameter.name())));
      } else if (expression instanceof Entry entry) {
        Expression index = new Apply(Operation.FLOOR, List.of(entry.index())); // in float64
        return line(
            "self.entry(p[%s], %s)".formatted(parameters.indexOf(entry.table()), part(index)));
      }
      return part(expression);
    }

    private String part(Expression expression) {
      int index = fixed.computeIfAbsent(expression, part -> fixed.size() + 1);
      return line("c[%s]".formatted(index));
    }

    private String compute(Expression expression) {
      if (expression instanceof Choice choice) {
        return choose(choice);
      }
      Apply apply = (Apply) expression;
      Object[] values = apply.arguments().stream().map(this::value).toArray();
      boolean isSteep = !apply.arguments().get(0).parameters().isEmpty();
      return line(
          switch (apply.operation()) {
            case SQRT -> "self.sqrt(%s)".formatted(values);
            case POWER -> (isSteep ? "self.power(%s, %s)" : "torch.pow(%s, %s)").formatted(values);
            default -> apply.operation().torchScript(values);
          });
    }

    private String choose(Choice choice) {
      String condition = "torch.ne(%s, 0)".formatted(value(choice.condition()));
      String taken =
          line(around == null ? "torch.expand(%s, size)".formatted(condition) : condition);
      String other = line("torch.logical_not(%s)".formatted(taken));
      String then = new Scope(this, taken).value(choice.then());
      String otherwise = new Scope(this, other).value(choice.otherwise());
      String empty = line("torch.new_zeros(c[0], torch.size(%s))".formatted(taken));
      String first = line("torch.masked_scatter(%s, %s, %s)".formatted(empty, taken, then));
      return line("torch.masked_scatter(%s, %s, %s)".formatted(first, other, otherwise));
    }
  }
}
