# Linear recurrences as a user of TorchScript writes them: projections in front, chunks of C positions, a loop over the
# rows of a chunk for the delta rule, and a loop over chunks for the state. T is a multiple of 64. Rows x [B, T, E] and
# p, the member's tensors -> [B, T, d]. q, k, v [B, H, T, D]; logs of gates [B, H, T, 1 or D]; beta [B, H, T, 1].

  def heads(self: __torch__.Kernels, x: Tensor, H: int) -> Tensor:
    return torch.transpose(torch.reshape(x, [x.size(0), x.size(1), H, -1]), 1, 2)

  def merged(self: __torch__.Kernels, x: Tensor) -> Tensor:
    return torch.reshape(torch.transpose(x, 1, 2), [x.size(0), x.size(2), -1])

  def rms(self: __torch__.Kernels, x: Tensor, g: Tensor) -> Tensor:
    return torch.mul(torch.mul(x, torch.rsqrt(torch.add(torch.mean(torch.pow(x, 2), [-1], True), 1e-05))), g)

  def unit(self: __torch__.Kernels, x: Tensor) -> Tensor:
    return torch.mul(x, torch.rsqrt(torch.add(torch.sum(torch.pow(x, 2), [-1], True), 1e-6)))

  def convolved(self: __torch__.Kernels, x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    rows = torch.constant_pad_nd(torch.transpose(x, 1, 2), [3, 0], 0)
    y = torch.conv1d(rows, torch.unsqueeze(w, 1), b, [1], [0], [1], w.size(0))
    return torch.silu(torch.transpose(y, 1, 2))

  def chunk(self: __torch__.Kernels, x: Tensor, C: int) -> Tensor:
    return torch.reshape(x, [x.size(0), x.size(1), -1, C, x.size(3)])

  def inverse(self: __torch__.Kernels, A: Tensor) -> Tensor:
    # The inverse of I + A by forward substitution; A [..., C, C] is strictly lower triangular.
    C = A.size(4)
    one = torch.expand(torch.reshape(torch.to(torch.eye(C, device=A.device), 6), [1, 1, 1, C, C]), A.size())
    rows = torch.slice(one, 3, 0, 1)
    for r in range(1, C):
      left = torch.slice(torch.slice(A, 3, r, r + 1), 4, 0, r)
      row = torch.sub(torch.slice(one, 3, r, r + 1), torch.matmul(left, rows))
      rows = torch.cat([rows, row], 3)
    return rows

  def scan(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, logs: Tensor, beta: Tensor, C: int, delta: bool) -> Tensor:
    q = self.chunk(q, C)
    k = self.chunk(k, C)
    v = torch.mul(self.chunk(v, C), self.chunk(beta, C))
    L = torch.cumsum(self.chunk(logs, C), 3)
    end = torch.slice(L, 3, C - 1)
    grown = torch.mul(q, torch.exp(L))
    later = torch.mul(k, torch.exp(torch.sub(end, L)))
    if L.size(4) == 1:
      ratios = torch.exp(torch.tril(torch.sub(L, torch.transpose(L, 3, 4))))
      scores = torch.tril(torch.mul(torch.matmul(q, torch.transpose(k, 3, 4)), ratios))
    else:
      ratios = L
      scores = torch.tril(torch.matmul(grown, torch.transpose(torch.mul(k, torch.exp(torch.neg(L))), 3, 4)))
    reads = k
    if delta:
      own = torch.mul(k, self.chunk(beta, C))
      system = torch.mul(torch.matmul(own, torch.transpose(k, 3, 4)), ratios)
      inverse = self.inverse(torch.tril(system, -1))
      v = torch.matmul(inverse, v)
      reads = torch.matmul(inverse, torch.mul(own, torch.exp(L)))
    S = torch.new_zeros(q, [v.size(0), v.size(1), q.size(4), v.size(4)])
    outs = annotate(List[Tensor], [])
    for i in range(q.size(2)):
      u = torch.select(v, 2, i)
      if delta:
        u = torch.sub(u, torch.matmul(torch.select(reads, 2, i), S))
      inside = torch.matmul(torch.select(scores, 2, i), u)
      outs = torch.append(outs, torch.add(inside, torch.matmul(torch.select(grown, 2, i), S)))
      kept = torch.transpose(torch.exp(torch.select(end, 2, i)), 2, 3)
      S = torch.add(torch.mul(kept, S), torch.matmul(torch.transpose(torch.select(later, 2, i), 2, 3), u))
    return torch.cat(outs, 2)

  def linear(self: __torch__.Kernels, x: Tensor, H: Tensor, p: List[Tensor]) -> Tensor:
    q, k, v = torch.chunk(x, 3, 2)
    q = self.heads(q, int(H))
    one = torch.new_ones(q, [q.size(0), q.size(1), q.size(2), 1])
    q = torch.div(q, torch.sqrt(q.size(3)))
    out = self.scan(q, self.heads(k, int(H)), self.heads(v, int(H)), torch.mul(one, 0), one, 64, False)
    return self.merged(self.rms(out, p[0]))

  def gla(self: __torch__.Kernels, x: Tensor, H: Tensor, p: List[Tensor]) -> Tensor:
    d = p[0].size(0)
    q, k, v, g = torch.chunk(torch.slice(x, 2, 0, 4 * d), 4, 2)
    logs = torch.div(torch.log_sigmoid(torch.linear(torch.slice(x, 2, 4 * d), p[0], p[1])), 16.)
    q = self.heads(q, int(H))
    one = torch.new_ones(q, [q.size(0), q.size(1), q.size(2), 1])
    q = torch.div(q, torch.sqrt(q.size(3)))
    out = self.scan(q, self.heads(k, int(H)), self.heads(v, int(H)), self.heads(logs, int(H)), one, 16, False)
    return torch.mul(self.merged(self.rms(out, p[2])), torch.silu(g))

  def mamba2(self: __torch__.Kernels, x: Tensor, H: Tensor, p: List[Tensor]) -> Tensor:
    d = p[5].size(0)
    D = d // int(H)
    y = self.convolved(torch.slice(x, 2, 0, 2 * D + d), p[3], p[4])
    q = self.heads(torch.slice(y, 2, 0, D), 1)
    k = self.heads(torch.slice(y, 2, D, 2 * D), 1)
    v = self.heads(torch.slice(y, 2, 2 * D), int(H))
    steps = self.heads(torch.softplus(torch.add(torch.slice(x, 2, 2 * D + 2 * d), p[1])), int(H))
    logs = torch.neg(torch.mul(steps, torch.reshape(torch.exp(p[0]), [-1, 1, 1])))
    out = torch.add(self.scan(q, k, v, logs, steps, 64, False), torch.mul(v, torch.reshape(p[2], [-1, 1, 1])))
    return self.rms(torch.mul(self.merged(out), torch.silu(torch.slice(x, 2, 2 * D + d, 2 * D + 2 * d))), p[5])

  def deltanet(self: __torch__.Kernels, x: Tensor, H: Tensor, p: List[Tensor]) -> Tensor:
    end = p[0].size(0)
    q, k, v = torch.chunk(self.convolved(torch.slice(x, 2, 0, end), p[0], p[1]), 3, 2)
    beta = self.heads(torch.sigmoid(torch.slice(x, 2, end)), int(H))
    q = self.unit(self.heads(q, int(H)))
    k = self.unit(self.heads(k, int(H)))
    return self.merged(self.rms(self.scan(q, k, self.heads(v, int(H)), torch.mul(beta, 0), beta, 64, True), p[2]))

  def gated_deltanet(self: __torch__.Kernels, x: Tensor, H: Tensor, p: List[Tensor]) -> Tensor:
    end = p[2].size(0)
    d = end // 3
    q, k, v = torch.chunk(self.convolved(torch.slice(x, 2, 0, end), p[2], p[3]), 3, 2)
    steps, beta = torch.chunk(torch.slice(x, 2, end + d), 2, 2)
    steps = self.heads(torch.softplus(torch.add(steps, p[1])), int(H))
    logs = torch.neg(torch.mul(steps, torch.reshape(torch.exp(p[0]), [-1, 1, 1])))
    beta = self.heads(torch.sigmoid(beta), int(H))
    q = self.unit(self.heads(q, int(H)))
    k = self.unit(self.heads(k, int(H)))
    out = self.rms(self.scan(q, k, self.heads(v, int(H)), logs, beta, 64, True), p[4])
    return torch.mul(self.merged(out), torch.silu(torch.slice(x, 2, end, end + d)))

  def lru(self: __torch__.Kernels, x: Tensor, H: Tensor, p: List[Tensor]) -> Tensor:
    # A parallel scan: in step s each state adds that of s positions before, times lambda^s.
    n = p[0].size(0)
    d = p[3].size(0)
    rate = torch.exp(p[0])
    phase = torch.exp(p[1])
    gamma = torch.sqrt(torch.sub(torch.ones_like(rate), torch.exp(torch.mul(rate, -2.))))
    real = torch.mul(torch.slice(x, 2, d, d + n), gamma)
    imaginary = torch.mul(torch.slice(x, 2, d + n, d + 2 * n), gamma)
    s = 1
    while s < x.size(1):
      size = torch.exp(torch.mul(rate, -float(s)))
      a = torch.mul(size, torch.cos(torch.mul(phase, float(s))))
      b = torch.mul(size, torch.sin(torch.mul(phase, float(s))))
      before = torch.constant_pad_nd(torch.slice(real, 1, 0, x.size(1) - s), [0, 0, s, 0], 0)
      turned = torch.constant_pad_nd(torch.slice(imaginary, 1, 0, x.size(1) - s), [0, 0, s, 0], 0)
      real = torch.add(real, torch.sub(torch.mul(before, a), torch.mul(turned, b)))
      imaginary = torch.add(imaginary, torch.add(torch.mul(before, b), torch.mul(turned, a)))
      s = 2 * s
    out = torch.sub(torch.linear(real, torch.slice(p[2], 1, 0, n), None), torch.linear(imaginary, torch.slice(p[2], 1, n), None))
    out = torch.add(out, torch.mul(torch.slice(x, 2, d + 2 * n), p[3]))
    return torch.mul(out, torch.silu(torch.slice(x, 2, 0, d)))
