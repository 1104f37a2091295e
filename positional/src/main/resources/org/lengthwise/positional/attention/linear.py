# Linear recurrences in chunks of C positions, after those of rows.py. Each Linear.Member is a method: rows
# x [B, T, E] and p, the member's tensors and then its states -> the result [B, T, d] and the states after
# position T - 1. q and k are [B, H, T, D], or [B, 1, T, D] if heads share them; v [B, H, T, D]; states S
# [B, H, D, D]. All is float32, or float64 if x is.

  def linear_plain(self: __torch__.Kernels, x: Tensor, heads: Tensor, chunk: Tensor, factor: Tensor, p: List[Tensor]) -> List[Tensor]:
    g, S = p
    x = self.at_least_float(x)
    q, k, v = torch.unbind(self.parts(x, int(heads)))
    none = torch.new_zeros(x, [0])
    out, S = self.scan(self.by_root(q), k, v, none, none, S, int(chunk), False)
    return [self.merge(self.rms_heads(out, g), x), S]

  def linear_gla(self: __torch__.Kernels, x: Tensor, heads: Tensor, chunk: Tensor, factor: Tensor, p: List[Tensor]) -> List[Tensor]:
    w, b, g, S = p
    x = self.at_least_float(x)
    d = w.size(0)
    q, k, v = torch.unbind(self.parts(torch.slice(x, 2, 0, 3 * d), int(heads)))
    low = torch.slice(x, 2, 4 * d)
    logs = torch.div(torch.neg(torch.softplus(torch.neg(torch.linear(low, w, b)))), 16.)
    logs = self.by_head(torch.clamp_min(logs, -10.), int(heads))
    none = torch.new_zeros(x, [0])
    out, S = self.scan(self.by_root(q), k, v, logs, none, S, int(chunk), False)
    out = self.merge(self.rms_heads(out, g), x)
    return [torch.mul(out, torch.silu(torch.slice(x, 2, 3 * d, 4 * d))), S]

  def linear_mamba2(self: __torch__.Kernels, x: Tensor, heads: Tensor, chunk: Tensor, factor: Tensor, p: List[Tensor]) -> List[Tensor]:
    decay, step, skip, w, b, g, S, before = p
    x = self.at_least_float(x)
    d = g.size(0)
    D = d // int(heads)
    y, before = self.convolved(torch.slice(x, 2, 0, 2 * D + d), before, w, b)
    q = self.by_head(torch.slice(y, 2, 0, D), 1)
    k = self.by_head(torch.slice(y, 2, D, 2 * D), 1)
    v = self.by_head(torch.slice(y, 2, 2 * D), int(heads))
    steps = self.steps(torch.slice(x, 2, 2 * D + 2 * d), step)
    out, S = self.scan(q, k, v, self.decays(steps, decay), steps, S, int(chunk), False)
    out = torch.addcmul(out, v, torch.reshape(skip, [-1, 1, 1]))
    out = torch.mul(self.merge(out, x), torch.silu(torch.slice(x, 2, 2 * D + d, 2 * D + 2 * d)))
    return [self.rms_heads(out, g), S, before]

  def linear_deltanet(self: __torch__.Kernels, x: Tensor, heads: Tensor, chunk: Tensor, factor: Tensor, p: List[Tensor]) -> List[Tensor]:
    w, b, g, S, before = p
    x = self.at_least_float(x)
    end = w.size(0)
    y, before = self.convolved(torch.slice(x, 2, 0, end), before, w, b)
    q, k, v = torch.unbind(self.parts(y, int(heads)))
    beta = torch.mul(self.by_head(torch.sigmoid(torch.slice(x, 2, end)), int(heads)), float(factor))
    none = torch.new_zeros(x, [0])
    out, S = self.scan(self.unit(q), self.unit(k), v, none, beta, S, int(chunk), True)
    return [self.merge(self.rms_heads(out, g), x), S, before]

  def linear_gated_deltanet(self: __torch__.Kernels, x: Tensor, heads: Tensor, chunk: Tensor, factor: Tensor, p: List[Tensor]) -> List[Tensor]:
    decay, step, w, b, g, S, before = p
    x = self.at_least_float(x)
    H = int(heads)
    end = w.size(0)
    d = end // 3
    y, before = self.convolved(torch.slice(x, 2, 0, end), before, w, b)
    q, k, v = torch.unbind(self.parts(y, H))
    logs = self.decays(self.steps(torch.slice(x, 2, end + d, end + d + H), step), decay)
    beta = torch.mul(self.by_head(torch.sigmoid(torch.slice(x, 2, end + d + H)), H), float(factor))
    out, S = self.scan(self.unit(q), self.unit(k), v, logs, beta, S, int(chunk), True)
    out = self.merge(self.rms_heads(out, g), x)
    return [torch.mul(out, torch.silu(torch.slice(x, 2, end, end + d))), S, before]

  def linear_lru(self: __torch__.Kernels, x: Tensor, heads: Tensor, chunk: Tensor, factor: Tensor, p: List[Tensor]) -> List[Tensor]:
    # h_t = lambda h_(t-1) + gamma b_t for each of n numbers. h [B, 2 n]: real, then imaginary parts.
    nu, theta, c, skip, h = p
    x = self.at_least_float(x)
    B = x.size(0)
    T = x.size(1)
    n = nu.size(0)
    d = skip.size(0)
    C = int(chunk)
    rate = torch.exp(nu)
    gamma = torch.sqrt(torch.neg(torch.expm1(torch.mul(rate, -2.))))
    b = torch.reshape(torch.slice(x, 2, d, d + 2 * n), [B, T, 2, n])
    b = torch.permute(torch.mul(b, gamma), [3, 0, 1, 2])
    b = torch.constant_pad_nd(b, [0, 0, 0, (C - T % C) % C], 0)
    M = b.size(2) // C
    b = torch.reshape(torch.transpose(torch.reshape(b, [n, B, M, C, 2]), 3, 4), [n, B * M, 2 * C])
    times = torch.type_as(torch.arange(C + 1, device=x.device), x)
    size = torch.exp(torch.neg(torch.mul(torch.unsqueeze(rate, 1), times)))
    phase = torch.mul(torch.unsqueeze(torch.exp(theta), 1), times)
    real = torch.mul(size, torch.cos(phase))
    imaginary = torch.mul(size, torch.sin(phase))
    own = self.turns(self.powers(real, C), self.powers(imaginary, C), 1)
    local = torch.reshape(torch.matmul(b, own), [n, B, M, 2, C])
    one = torch.slice(real, 1, C)
    turn = self.turns(torch.unsqueeze(one, 2), torch.unsqueeze(torch.slice(imaginary, 1, C), 2), 1)
    ends = torch.unbind(torch.select(local, 4, C - 1), 2)
    state = torch.permute(torch.reshape(h, [B, 2, n]), [2, 0, 1])
    states = annotate(List[Tensor], [])
    for i in range(M):
      states = torch.append(states, state)
      state = torch.add(torch.matmul(state, turn), ends[i])
    before = torch.reshape(torch.stack(states, 2), [n, B * M, 2])
    later = self.turns(torch.unsqueeze(torch.slice(real, 1, 1), 1), torch.unsqueeze(torch.slice(imaginary, 1, 1), 1), 1)
    all = torch.add(local, torch.reshape(torch.matmul(before, later), [n, B, M, 2, C]))
    y = torch.reshape(torch.permute(all, [1, 2, 4, 3, 0]), [B, M * C, 2 * n])
    y = torch.slice(y, 1, 0, T)
    out = torch.sub(torch.linear(torch.slice(y, 2, 0, n), torch.slice(c, 1, 0, n), None), torch.linear(torch.slice(y, 2, n), torch.slice(c, 1, n), None))
    out = torch.addcmul(out, torch.slice(x, 2, d + 2 * n), skip)
    return [torch.mul(out, torch.silu(torch.slice(x, 2, 0, d))), torch.reshape(torch.slice(y, 1, T - 1), [B, 2 * n])]

  def turns(self: __torch__.Kernels, real: Tensor, imaginary: Tensor, axis: int) -> Tensor:
    # The products with complex numbers as real matrices, for rows of real, then imaginary parts:
    # [n, r, C] -> [n, 2 r, 2 C].
    above = torch.cat([real, imaginary], 2)
    return torch.cat([above, torch.cat([torch.neg(imaginary), real], 2)], axis)

  def powers(self: __torch__.Kernels, x: Tensor, C: int) -> Tensor:
    # x [n, C + 1], numbers by distance -> [n, C, C]: from position j (row) to position t (column).
    t = torch.arange(C, device=x.device)
    apart = torch.sub(torch.unsqueeze(t, 0), torch.unsqueeze(t, 1))
    places = torch.reshape(torch.clamp_min(apart, 0), [-1])
    return torch.triu(torch.reshape(torch.index_select(x, 1, places), [-1, C, C]))

  def scan(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, logs: Tensor, beta: Tensor, S: Tensor, C: int, delta: bool) -> Tuple[Tensor, Tensor]:
    # logs of gates [B, H, T, 1] or [B, H, T, D], beta [B, H, T, 1]; empty: gates and betas of 1. A vector of
    # gates has no delta rule. L: sums of logs in a chunk, float64, because ratios of gates are exp of differences.
    T = q.size(2)
    D = v.size(3)
    more = (C - T % C) % C
    q = self.chunks(q, more, C)
    k = self.chunks(k, more, C)
    v = self.chunks(v, more, C)
    if torch.numel(beta) > 0:
      beta = self.chunks(beta, more, C)
      v = torch.mul(v, beta)
    scores = torch.matmul(q, torch.transpose(k, 3, 4))
    keep = torch.new_ones(q, [1, 1, q.size(2), 1, 1])
    ratios = annotate(Optional[Tensor], None)
    later = k
    first = k
    query = q
    if torch.numel(logs) > 0:
      L = torch.cumsum(torch.to(self.chunks(logs, more, C), 7), 3)
      end = torch.slice(L, 3, C - 1)
      keep = torch.transpose(self.exp(end, q), 3, 4)
      later = torch.mul(k, self.exp(torch.sub(end, L), q))
      growth = self.exp(L, q)
      query = torch.mul(q, growth)
      if L.size(4) == 1:
        first = torch.mul(k, growth)
        all = self.exp(torch.clamp_max(torch.sub(L, torch.transpose(L, 3, 4)), 0.), q)
        scores = torch.mul(scores, all)
        ratios = all
      else:
        middle = torch.slice(L, 3, C // 2, C // 2 + 1)
        scores = torch.matmul(torch.mul(q, self.exp(torch.sub(L, middle), q)), torch.transpose(torch.mul(k, self.exp(torch.sub(middle, L), q)), 3, 4))
    scores = torch.tril(scores)
    written = v
    read = v
    turned = torch.transpose(later, 3, 4)
    if delta:
      # w = beta (v - S' k - what the chunk wrote at k): a unit lower triangular system
      weighted = torch.mul(k, beta)
      system = torch.matmul(weighted, torch.transpose(k, 3, 4))
      if ratios is not None:
        system = torch.mul(system, ratios)
      right = torch.cat([v, torch.mul(first, beta)], 4)
      solved = torch.linalg_solve_triangular(torch.tril(system, -1), right, upper=False, left=True, unitriangular=True)
      written = torch.slice(solved, 4, 0, D)
      read = torch.slice(solved, 4, D)
      forgotten = torch.unbind(torch.matmul(turned, read), 2)
    else:
      forgotten = annotate(List[Tensor], [])
    added = torch.unbind(torch.matmul(turned, written), 2)
    kept = torch.unbind(keep, 2)
    states = annotate(List[Tensor], [])
    for i in range(torch.len(added)):
      states = torch.append(states, S)
      next = torch.addcmul(added[i], kept[i], S)
      if delta:
        next = torch.sub(next, torch.matmul(forgotten[i], S))
      S = next
    before = torch.stack(states, 2)
    if delta:
      written = torch.sub(written, torch.matmul(read, before))
    out = torch.add(torch.matmul(scores, written), torch.matmul(query, before))
    out = torch.reshape(out, [out.size(0), out.size(1), -1, D])
    return (torch.slice(out, 2, 0, T), S)

  def exp(self: __torch__.Kernels, x: Tensor, like: Tensor) -> Tensor:
    return torch.exp(torch.type_as(x, like))

  def chunks(self: __torch__.Kernels, x: Tensor, more: int, C: int) -> Tensor:
    # [B, H, T, D], zeros added -> [B, H, N, C, D]
    x = torch.constant_pad_nd(x, [0, 0, 0, more], 0)
    return torch.reshape(x, [x.size(0), x.size(1), -1, C, x.size(3)])

  def by_head(self: __torch__.Kernels, x: Tensor, heads: int) -> Tensor:
    # [B, T, H D] -> [B, H, T, D]
    return torch.transpose(torch.reshape(x, [x.size(0), x.size(1), heads, -1]), 1, 2)

  def by_root(self: __torch__.Kernels, q: Tensor) -> Tensor:
    return torch.div(q, torch.sqrt(q.size(3)))

  def at_least_float(self: __torch__.Kernels, x: Tensor) -> Tensor:
    if ops.prim.dtype(x) == 7:
      return x
    return torch.to(x, 6)

  def unit(self: __torch__.Kernels, x: Tensor) -> Tensor:
    return torch.mul(x, torch.rsqrt(torch.add(torch.sum(torch.mul(x, x), [-1], True), 1e-6)))

  def rms_heads(self: __torch__.Kernels, x: Tensor, g: Tensor) -> Tensor:
    scale = torch.rsqrt(torch.add(torch.mean(torch.mul(x, x), [-1], True), 1e-05))
    return torch.mul(torch.mul(x, scale), g)

  def steps(self: __torch__.Kernels, x: Tensor, b: Tensor) -> Tensor:
    # Delta = softplus(x + b): [B, T, H] -> [B, H, T, 1]
    return self.by_head(torch.softplus(torch.add(x, b)), b.size(0))

  def decays(self: __torch__.Kernels, steps: Tensor, decay: Tensor) -> Tensor:
    return torch.neg(torch.mul(steps, torch.reshape(torch.exp(decay), [-1, 1, 1])))

  def convolved(self: __torch__.Kernels, x: Tensor, before: Tensor, w: Tensor, b: Tensor) -> Tuple[Tensor, Tensor]:
    # silu of a causal convolution of x [B, T, c] after three rows -> [B, T, c], and the last three rows
    T = x.size(1)
    x = torch.cat([before, x], 1)
    y = b
    for i in range(4):
      y = torch.addcmul(y, torch.slice(x, 1, i, i + T), torch.select(w, 1, i))
    return (torch.silu(y), torch.slice(x, 1, T))

