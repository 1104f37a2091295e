# A plain decoder with the blocks of Llama, the reference for the speed of the forward pass. B batch, T
# length, H query heads, G key heads, D head width, d width, V vocabulary; float32 throughout.

  def rms(self: __torch__.Kernels, x: Tensor, g: Tensor) -> Tensor:
    scale = torch.rsqrt(torch.add(torch.mean(torch.mul(x, x), [-1], True), 9.9999999999999995e-07))
    return torch.mul(torch.mul(x, scale), g)

  def heads(self: __torch__.Kernels, x: Tensor, D: int) -> Tensor:
    # [B, T, n D] -> [B, n, T, D]
    return torch.transpose(torch.reshape(x, [x.size(0), x.size(1), -1, D]), 1, 2)

  def rotate(self: __torch__.Kernels, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    # x [B, n, T, D], cos and sin [T, D]
    half = torch.split(x, x.size(3) // 2, 3)
    turned = torch.cat([torch.neg(half[1]), half[0]], 3)
    return torch.add(torch.mul(x, cos), torch.mul(turned, sin))

  def attend(self: __torch__.Kernels, qkv: Tensor, cos: Tensor, sin: Tensor, H: int, G: int) -> Tensor:
    # [B, T, (H + 2 G) D] -> [B, T, H D]
    D = cos.size(1)
    parts = torch.split_with_sizes(qkv, [H * D, G * D, G * D], 2)
    q = self.rotate(self.heads(parts[0], D), cos, sin)
    k = torch.repeat_interleave(self.rotate(self.heads(parts[1], D), cos, sin), H // G, 1)
    v = torch.repeat_interleave(self.heads(parts[2], D), H // G, 1)
    out = torch.scaled_dot_product_attention(q, k, v, None, 0., True, scale=None, enable_gqa=False)
    return torch.reshape(torch.transpose(out, 1, 2), [qkv.size(0), qkv.size(1), -1])

  def nll(self: __torch__.Kernels, tokens: Tensor, targets: Tensor, rows: Tensor, query_heads: Tensor, key_heads: Tensor, p: List[Tensor]) -> Tensor:
    # The mean negative log-likelihood of the last rows of a sequence. p are the model's tensors in layout
    # order: embeddings, six for each block (norm, [q; k; v], out, norm, [gate; up], down), norm, output.
    H = int(query_heads)
    G = int(key_heads)
    T = tokens.size(1)
    D = p[2].size(0) // (H + 2 * G)
    pairs = torch.arange(0, D, 2, dtype=6, device=tokens.device)
    frequencies = torch.pow(10000., torch.div(torch.neg(pairs), D))
    angles = torch.outer(torch.arange(T, dtype=6, device=tokens.device), frequencies)
    angles = torch.cat([angles, angles], 1)
    cos = torch.cos(angles)
    sin = torch.sin(angles)
    x = torch.embedding(p[0], tokens)
    last = torch.len(p) - 2
    i = 1
    while i < last:
      qkv = torch.linear(self.rms(x, p[i]), p[i + 1], None)
      x = torch.add(x, torch.linear(self.attend(qkv, cos, sin, H, G), p[i + 2], None))
      inner = torch.split(torch.linear(self.rms(x, p[i + 3]), p[i + 4], None), p[i + 5].size(1), 2)
      x = torch.add(x, torch.linear(torch.mul(torch.silu(inner[0]), inner[1]), p[i + 5], None))
      i = i + 6
    h = self.rms(torch.slice(torch.select(x, 0, 0), 0, T - int(rows)), p[last])
    logits = torch.linear(h, p[last + 1], None)
    return torch.cross_entropy_loss(logits, targets, None, 1, -100, 0.)
