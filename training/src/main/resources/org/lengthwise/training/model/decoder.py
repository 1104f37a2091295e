# Decoder kernels. B batch, T length, d width, V vocabulary, N = B T rows. Everything that enters or
# leaves is float32; with half, products run in bfloat16.

  def linear(self: __torch__.Kernels, x: Tensor, w: Tensor, b: Optional[Tensor], half: Tensor) -> Tensor:
    if bool(half):
      c = annotate(Optional[Tensor], None)
      if b is not None:
        c = torch.to(b, 15)
      y = torch.to(torch.linear(torch.to(x, 15), torch.to(w, 15), c), 6)
    else:
      y = torch.linear(x, w, b)
    return y

  def norm(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor) -> Tensor:
    return torch.layer_norm(x, [x.size(-1)], g, b, 1.0000000000000001e-05, False)

  def embed(self: __torch__.Kernels, tokens: Tensor, wte: Tensor) -> Tensor:
    return torch.embedding(wte, tokens)

  def norm_linear(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor, half: Tensor) -> Tensor:
    return self.linear(self.norm(x, g, b), w, c, half)

  def norm_linear_part(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor, first: Tensor, end: Tensor, half: Tensor) -> Tensor:
    # norm_linear with the output features from first up to end only.
    weight = torch.slice(w, 0, int(first), int(end))
    return self.linear(self.norm(x, g, b), weight, torch.slice(c, 0, int(first), int(end)), half)

  def add_linear(self: __torch__.Kernels, x: Tensor, y: Tensor, w: Tensor, c: Tensor, half: Tensor) -> Tensor:
    return torch.add(x, self.linear(y, w, c, half))

  def add_mlp(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor, u: Tensor, e: Tensor, half: Tensor) -> Tensor:
    h = self.norm(x, g, b)
    if bool(half):
      h = torch.linear(torch.to(h, 15), torch.to(w, 15), torch.to(c, 15))
      h = torch.linear(torch.gelu(h, approximate="tanh"), torch.to(u, 15), torch.to(e, 15))
      h = torch.to(h, 6)
    else:
      h = torch.linear(torch.gelu(torch.linear(h, w, c), approximate="tanh"), u, e)
    return torch.add(x, h)

  def nll(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, wte: Tensor, targets: Tensor, half: Tensor) -> Tensor:
    # x [N, d], targets [N] -> [N]
    logits = self.linear(self.norm(x, g, b), wte, None, half)
    return torch.cross_entropy_loss(logits, targets, None, 0, -100, 0.)

  def mean_nll(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, wte: Tensor, targets: Tensor, half: Tensor) -> Tensor:
    logits = self.linear(self.norm(x, g, b), wte, None, half)
    return torch.cross_entropy_loss(logits, targets, None, 1, -100, 0.)
