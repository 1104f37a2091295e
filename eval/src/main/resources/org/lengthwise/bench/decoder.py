# A plain decoder, the reference for the speed of the model. B batch, T length, H heads, d width, V vocabulary.
# g and b are a LayerNorm's weight and bias; float32 throughout.

  def norm(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor) -> Tensor:
    return torch.layer_norm(x, [x.size(-1)], g, b, 1.0000000000000001e-05, False)

  def project(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor) -> Tensor:
    # A block up to attention: [B, T, d] -> queries, keys and values [B, T, 3 d].
    return torch.linear(self.norm(x, g, b), w, c)

  def finish(self: __torch__.Kernels, x: Tensor, attended: Tensor, w: Tensor, c: Tensor, g: Tensor, b: Tensor, u: Tensor, e: Tensor, v: Tensor, f: Tensor) -> Tensor:
    # A block from attention on: projection w, c; LayerNorm; up u, e and down v, f.
    x = torch.add(x, torch.linear(attended, w, c))
    h = torch.gelu(torch.linear(self.norm(x, g, b), u, e), approximate="tanh")
    return torch.add(x, torch.linear(h, v, f))

  def alibi(self: __torch__.Kernels, slopes: Tensor, T: int) -> Tensor:
    # slopes [H] -> bias [1, H, T, T]
    positions = torch.arange(T, device=slopes.device)
    distance = torch.sub(torch.unsqueeze(positions, 1), torch.unsqueeze(positions, 0))
    bias = torch.mul(torch.reshape(slopes, [1, -1, 1, 1]), torch.neg(distance))
    return torch.masked_fill(bias, torch.lt(distance, 0), -1e30)

  def attend(self: __torch__.Kernels, qkv: Tensor, bias: Tensor) -> Tensor:
    # [B, T, 3 d] -> [B, T, d]
    B = qkv.size(0)
    T = qkv.size(1)
    parts = torch.reshape(qkv, [B, T, 3, bias.size(1), -1])
    q, k, v = torch.unbind(torch.permute(parts, [2, 0, 3, 1, 4]))
    out = torch.scaled_dot_product_attention(q, k, v, bias, 0., False, scale=None, enable_gqa=False)
    return torch.reshape(torch.transpose(out, 1, 2), [B, T, -1])

  def loss(self: __torch__.Kernels, tokens: Tensor, targets: Tensor, slopes: Tensor, p: List[Tensor]) -> Tensor:
    # The mean negative log-likelihood under ALiBi, the whole forward pass in one call. p are the
    # model's tensors in layout order: wte [V, d], twelve for each block, the final LayerNorm.
    bias = self.alibi(slopes, tokens.size(1))
    x = torch.embedding(p[0], tokens)
    last = torch.len(p) - 2
    i = 1
    while i < last:
      qkv = self.project(x, p[i], p[i + 1], p[i + 2], p[i + 3])
      x = self.finish(x, self.attend(qkv, bias), p[i + 4], p[i + 5], p[i + 6], p[i + 7], p[i + 8], p[i + 9], p[i + 10], p[i + 11])
      i = i + 12
    h = self.norm(x, p[last], p[last + 1])
    logits = torch.linear(torch.reshape(h, [-1, h.size(-1)]), p[0], None)
    return torch.cross_entropy_loss(logits, torch.reshape(targets, [-1]), None, 1, -100, 0.)
