package org.lengthwise.model;

import java.util.Locale;

/**
 * Writes the kernels that the form of a decoder decides, among them the second half of a block. So
 * the kernels of decoder.py serve every form, and none of them tests at run time which form it
 * computes.
 */
final class FormKernels {
  private FormKernels() {}

  /** The methods, indented as those of a class. */
  static String source(DecoderForm form) {
    return method("rms", "x: Tensor, g: Tensor", rms(form.norms()))
        + method("norm", "x: Tensor, g: Tensor, b: Tensor", norm(form.norms()))
        + method("final", "x: Tensor, g: Tensor, b: Tensor", finalNorm(form))
        + method("activation", "h: Tensor", activation(form))
        + method("enter", "x: Tensor, g: Tensor, b: Tensor", enter(form))
        + method(
            "shape",
            "y: Tensor, q: Tensor, k: Tensor, queries: Tensor, factor: Tensor",
            shape(form.attention()))
        + method(
            "after",
            "x: Tensor, y: Tensor, drop: Tensor, w: Tensor, c: Tensor, g: Tensor, b: Tensor, n:"
                + " Tensor, m: Tensor, u: Tensor, e: Tensor, v: Tensor, f: Tensor",
            after(form.norm()));
  }

  /** What the projections to queries, keys and values read. */
  private static String enter(DecoderForm form) {
    return form.norm() == DecoderForm.Norm.POST ? "return x" : "return self.norm(x, g, b)";
  }

  /** Queries, keys and values y [B, n, features], bounded, normalised and scaled. */
  private static String shape(HeadForm heads) {
    String bounded =
        heads.clip() == 0
            ? ""
            : String.format(Locale.ROOT, "y = torch.clamp(y, -%1$.16e, %1$.16e)\n", heads.clip());
    if (!heads.queryKeyNorm() && heads.scale() == 0) {
      return bounded + "return y";
    }
    String query = heads.queryKeyNorm() ? "self.norm_heads(parts[0], q)" : "parts[0]";
    String key = heads.queryKeyNorm() ? "self.norm_heads(parts[1], k)" : "parts[1]";
    String scaled = heads.scale() == 0 ? query : "torch.mul(%s, float(factor))".formatted(query);
    return """
    %sn = int(queries)
    keys = (y.size(2) - n) // 2
    parts = torch.split_with_sizes(y, [n, keys, keys], 2)
    return torch.cat([%s, %s, parts[2]], 2)\
    """
        .formatted(bounded, scaled, key);
  }

  /**
   * The second half of a block: x [B, n, d] and the attended values y. Projection w, c; the norms
   * g, b of attention and n, m of the MLP; its projections u, e and v, f.
   */
  private static String after(DecoderForm.Norm norm) {
    return switch (norm) {
      case PRE ->
          """
          x = self.add_linear(x, y, drop, w, c)
          return self.add_mlp(x, self.norm(x, n, m), drop, u, e, v, f)\
          """;
      case POST ->
          """
          x = self.norm(self.add_linear(x, y, drop, w, c), g, b)
          return self.norm(self.add_mlp(x, x, drop, u, e, v, f), n, m)\
          """;
      case PARALLEL ->
          """
          x = self.add_mlp(x, self.norm(x, n, m), drop, u, e, v, f)
          return self.add_linear(x, y, drop, w, c)\
          """;
      case NORMED ->
          """
          x = self.norm(self.add_linear(self.norm(x, g, b), y, drop, w, c), n, m)
          return self.add_mlp(x, x, drop, u, e, v, f)\
          """;
    };
  }

  private static String method(String name, String arguments, String body) {
    return "  def %s(self: __torch__.Kernels, %s) -> Tensor:%n%s%n"
        .formatted(name, arguments, body.indent(4))
        .replace("\r", "");
  }

  /** Without a gradient, the result takes the place of the squares. */
  private static String rms(NormForm norms) {
    return """
    y = torch.mul(x, x)
    scale = torch.rsqrt(torch.add(torch.mean(y, [-1], True), %s))
    if ops.prim.requires_grad(x) or ops.prim.requires_grad(g):
      return torch.mul(torch.mul(x, scale), g)
    return torch.mul_(torch.mul(x, scale, out=y), g)\
    """
        .formatted(epsilon(norms));
  }

  /** The engine computes a LayerNorm in float32, also of numbers and weights in bfloat16. */
  private static String norm(NormForm norms) {
    return switch (norms.kind()) {
      case RMS -> "return torch.type_as(self.rms(torch.to(x, 6), g), x)";
      case LAYER, LAYER_WITHOUT_BIAS ->
          """
          g = torch.type_as(g, x)
          return torch.layer_norm(x, [x.size(-1)], g, torch.type_as(b, x), %s, False)\
          """
              .formatted(epsilon(norms));
    };
  }

  /** The smallest number of digits that every reader takes for the same double. */
  private static String epsilon(NormForm norms) {
    return String.format(Locale.ROOT, "%.16e", norms.epsilon());
  }

  /** A model with projected embeddings normalises before it projects back. */
  private static String finalNorm(DecoderForm form) {
    return form.hasFinalNorm() && !form.tokens().isProjected()
        ? "return self.norm(x, g, b)"
        : "return x";
  }

  /** Without a gradient, gated units take the place of their gates. */
  private static String activation(DecoderForm form) {
    String function =
        switch (form.activation()) {
          case GELU -> "torch.gelu%s(%s, approximate=\"tanh\")";
          case GELU_ERF -> "torch.gelu%s(%s, approximate=\"none\")";
          case RELU -> "torch.relu%s(%s)";
          case SILU -> "torch.silu%s(%s)";
        };
    return form.mlp().gated()
        ? """
        parts = torch.split(h, h.size(-1) // 2, -1)
        if ops.prim.requires_grad(h):
          return torch.mul(%s, parts[1])
        return torch.mul_(%s, parts[1])\
        """
            .formatted(function.formatted("", "parts[0]"), function.formatted("_", "parts[0]"))
        : "return " + function.formatted("", "h");
  }
}
