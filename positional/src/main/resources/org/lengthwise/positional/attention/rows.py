# Kernels of attention whose weights depend on rows, after those of attention.py. Each rule of RowScheme.Rule
# is a method: the last w queries q [B, H, w, D], divided by sqrt(D), over k and v [B, H, n, D], which are in
# reverse order, the newest first -> [B, H, w, D]. sums [B, H, n], float64: those of the keys' forget gates.
# p: what the rule reads. fused: whether to take shorter ways than all scores at once. rule.py runs a rule.

  def contextual(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, sums: Tensor, fused: bool, p: List[Tensor]) -> Tensor:
    return self.by_gates(q, k, v, p[0], False)

  def scaled_contextual(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, sums: Tensor, fused: bool, p: List[Tensor]) -> Tensor:
    return self.by_gates(q, k, v, p[0], True)

  def breaking(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, sums: Tensor, fused: bool, p: List[Tensor]) -> Tensor:
    return self.break_sticks(q, k, v, False, fused)

  def breaking_with_remainder(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, sums: Tensor, fused: bool, p: List[Tensor]) -> Tensor:
    return self.break_sticks(q, k, v, True, fused)

  def forgetting(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, sums: Tensor, fused: bool, p: List[Tensor]) -> Tensor:
    if fused:
      return self.forget(q, k, v, sums)
    own = torch.flip(torch.slice(sums, 2, 0, q.size(2)), [2])
    fall = torch.sub(torch.unsqueeze(own, 3), torch.unsqueeze(sums, 2))
    return self.share(self.hide(torch.add(self.scores(q, k), torch.to(fall, 6)), 0), v)

  def adaptive(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, sums: Tensor, fused: bool, p: List[Tensor]) -> Tensor:
    return self.share(self.hide(self.adapted(self.scores(q, k), p), 0), v)

  def scores(self: __torch__.Kernels, q: Tensor, k: Tensor) -> Tensor:
    # [B, H, w, n], float32
    return torch.to(torch.matmul(q, torch.transpose(k, 2, 3)), 6)

  def share(self: __torch__.Kernels, scores: Tensor, v: Tensor) -> Tensor:
    return torch.matmul(torch.type_as(torch.softmax(scores, 3), v), v)

  def hide(self: __torch__.Kernels, x: Tensor, more: int) -> Tensor:
    # In x [B, H, w, n], forbids the keys after each query, and with more = 1 its own key. Key j of
    # query i is at the distance i + j - (w - 1).
    w = x.size(2)
    i = torch.arange(w, device=x.device)
    later = torch.lt(torch.add(torch.unsqueeze(i, 1), i), w - 1 + more)
    part = torch.masked_fill_(torch.slice(x, 3, 0, w), later, -1e30)
    return x

  def by_gates(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, e: Tensor, scaled: bool) -> Tensor:
    scores = self.hide(self.scores(q, k), 0)
    return self.share(torch.add(scores, self.contextual_bias(q, scores, e, scaled)), v)

  def contextual_bias(self: __torch__.Kernels, q: Tensor, scores: Tensor, e: Tensor, scaled: bool) -> Tensor:
    # CoPE: a position counts gates from the query back. A forbidden key has the gate 0. e [P, D]. From
    # the last row on there is no rise, so later positions have neither another bias nor a gradient.
    last = e.size(0) - 1
    z = torch.matmul(torch.to(q, 6), torch.t(e))
    if not scaled:
      z = torch.mul(z, torch.sqrt(q.size(3)))
    rise = torch.constant_pad_nd(torch.sub(torch.slice(z, 3, 1), torch.slice(z, 3, 0, last)), [0, 1], 0)
    position = torch.cumsum(torch.sigmoid(scores), 3)
    below = torch.clamp_max(torch.floor(torch.detach(position)), last)
    index = torch.to(below, 4)
    part = torch.mul(torch.sub(position, below), torch.gather(rise, 3, index))
    return torch.add(torch.gather(z, 3, index), part)

  def break_sticks(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, own: bool, skips: bool) -> Tensor:
    # Blocks of keys, newest first. left: the logarithm of what the keys before left over. A CPU skips
    # blocks that would share less than e^-20. A GPU does not wait for this number.
    w = q.size(2)
    n = k.size(2)
    size = n
    if skips:
      size = max(w, 256)
    left = torch.new_zeros(q, [1], dtype=6)
    outs = annotate(List[Tensor], [])
    first = 0
    while first < n:
      z = torch.to(torch.matmul(q, torch.transpose(torch.slice(k, 2, first, first + size), 2, 3)), 6)
      if first == 0:
        z = self.hide(z, 1)
      sums = torch.add(torch.cumsum(torch.neg(torch.softplus(z)), 3), left)
      weights = torch.exp(torch.add(z, sums))
      outs = torch.append(outs, torch.matmul(torch.type_as(weights, v), torch.slice(v, 2, first, first + size)))
      left = torch.slice(sums, 3, sums.size(3) - 1)
      first = first + size
      if first < n and not self.gpu and float(torch.max(left)) < -20.:
        first = n
    if own:
      rest = torch.type_as(torch.exp(left), v)
      outs = torch.append(outs, torch.mul(rest, torch.flip(torch.slice(v, 2, 0, w), [2])))
    out = outs[0]
    for i in range(torch.len(outs) - 1):
      out = torch.add(out, outs[i + 1])
    return out

  def forget(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, sums: Tensor) -> Tensor:
    # The fused kernel computes (c_m - c) 1 + 1 (c - c_n) + q k with columns for the differences, in
    # float32. c is that of the middle of the block.
    w = q.size(2)
    n = k.size(2)
    D = q.size(3)
    middle = torch.slice(sums, 2, w // 2, w // 2 + 1)
    own = torch.flip(torch.slice(sums, 2, 0, w), [2])
    fall, low_fall = self.exact_parts(torch.sub(own, middle))
    rise, low_rise = self.exact_parts(torch.sub(middle, sums))
    one = torch.ones_like(fall)
    ones = torch.ones_like(rise)
    query = torch.cat([fall, one, low_fall, one, torch.to(q, 6)], 3)
    key = torch.cat([ones, rise, ones, low_rise, torch.to(k, 6)], 3)
    value = torch.constant_pad_nd(torch.to(v, 6), [0, 4], 0)
    if self.gpu:
      more = [0, (8 - query.size(3) % 8) % 8]
      query = torch.constant_pad_nd(query, more, 0)
      key = torch.constant_pad_nd(key, more, 0)
      value = torch.constant_pad_nd(value, more, 0)
    mask = self.align(self.hide(torch.new_zeros(query, [1, 1, w, n]), 0))
    self.require_fused(query, key, value, mask, False)
    out = torch.scaled_dot_product_attention(query, key, value, mask, 0., False, scale=1., enable_gqa=False)
    return torch.slice(out, 3, 0, D)

  def exact_parts(self: __torch__.Kernels, x: Tensor) -> Tuple[Tensor, Tensor]:
    # x [B, H, n], float64, as the sum of two columns [B, H, n, 1], float32: sixteenths, whose sums
    # are exact, and the small rest, through which gradients go.
    high = torch.div(torch.round(torch.mul(torch.detach(x), 16.)), 16.)
    low = torch.unsqueeze(torch.to(torch.sub(x, high), 6), 3)
    return (torch.unsqueeze(torch.to(high, 6), 3), low)

  def adapted(self: __torch__.Kernels, scores: Tensor, p: List[Tensor]) -> Tensor:
    # DAPE: the network w, b, u, e reads the scores [B, H, w, n] and biases of all heads, table [H, T].
    w, b, u, e, table = p
    B = scores.size(0)
    H = scores.size(1)
    size = [B, H, scores.size(2), scores.size(3)]
    bias = torch.expand(self.by_distance(table, scores), size)
    one = torch.ones_like(torch.slice(scores, 1, 0, 1))
    y = torch.reshape(torch.cat([scores, bias, one], 1), [B, 2 * H + 1, -1])
    hidden = torch.leaky_relu_(torch.matmul(torch.cat([w, torch.unsqueeze(b, 1)], 1), y), 0.01)
    change = torch.reshape(torch.matmul(u, hidden), size)
    # A softmax ignores e, which all keys of a query share. Its gradient is exactly 0.
    outer = self.by_distance(torch.add(table, torch.mul(torch.unsqueeze(e, 1), 0)), scores)
    return torch.add(torch.add(scores, change), outer)

  def by_distance(self: __torch__.Kernels, table: Tensor, scores: Tensor) -> Tensor:
    # table [H, T] -> biases [H, w, n] of the last w queries over n keys in reverse order. Forbidden
    # keys have 0.
    n = scores.size(3)
    padded = torch.constant_pad_nd(torch.slice(table, 1, 0, n), [scores.size(2) - 1, 0], 0)
    return torch.unfold(padded, 1, n, 1)

  def decay(self: __torch__.Kernels, logits: Tensor) -> Tensor:
    # Logits of forget gates [B, T, H] -> the sums ln f_0 + .. + ln f_t [B, H, T], float64. H is 0
    # without gates.
    if logits.size(2) == 0:
      return torch.transpose(logits, 1, 2)
    logs = torch.neg(torch.softplus(torch.neg(torch.to(logits, 7))))
    return torch.transpose(torch.cumsum(logs, 1), 1, 2)

  def turned(self: __torch__.Kernels, x: Tensor, first: int, p: List[Tensor]) -> Tensor:
    # x [B, H, N, D], rotated from position `first` on if p is the angles of an inner scheme, cos and sin
    # [T, P]. p of other schemes without a table is followed by one zero.
    if torch.len(p) != 2 or torch.dim(p[1]) != 2:
      return x
    end = first + x.size(2)
    return self.rotate(torch.to(x, 6), torch.slice(p[0], 0, first, end), torch.slice(p[1], 0, first, end))
