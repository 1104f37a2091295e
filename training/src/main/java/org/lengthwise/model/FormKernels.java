package org.lengthwise.model;

import java.util.Locale;

/**
 * Writes the kernels that the form of a decoder decides: {@code norm}, {@code rms}, {@code
 * activation} and {@code final}. So the kernels of decoder.py serve every form, and none of them
 * tests at run time which form it computes.
 */
final class FormKernels {
  private FormKernels() {}

  /** The methods, indented as those of a class. */
  static String source(DecoderForm form) {
    return method("rms", "x: Tensor, g: Tensor", rms(form.norms()))
        + method("norm", "x: Tensor, g: Tensor, b: Tensor", norm(form.norms()))
        + method("final", "x: Tensor, g: Tensor, b: Tensor", finalNorm(form))
        + method("activation", "h: Tensor", activation(form));
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
        return torch.mul_(torch.mul(x, scale, out=y), g)"""
        .formatted(epsilon(norms));
  }

  private static String norm(NormForm norms) {
    return switch (norms.kind()) {
      case RMS -> "return self.rms(x, g)";
      case LAYER, LAYER_WITHOUT_BIAS ->
          "return torch.layer_norm(x, [x.size(-1)], g, b, %s, False)".formatted(epsilon(norms));
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
          return torch.mul_(%s, parts[1])"""
            .formatted(function.formatted("", "parts[0]"), function.formatted("_", "parts[0]"))
        : "return " + function.formatted("", "h");
  }
}
