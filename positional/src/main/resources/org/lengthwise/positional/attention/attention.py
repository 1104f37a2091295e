# Attention kernels. B batch, T length, H heads, D head width, C chunk, w queries in a block, n keys.
# qkv [B, T, 3 H D] holds queries, keys and values side by side; q, k and v are its three parts.
# kv [B, n, 2 H D] holds keys and values side by side. Results are [B, T, H D], in the format of qkv.
# self.bf16: whether products run in bfloat16. table [H, n]: a bias by head and distance.
# Dtype codes of torch.to: 6 is float32, 15 is bfloat16.
# A forbidden key has a bias of -1e30. With -inf, a row without keys would become NaN.

  def rounded(self: __torch__.Kernels, x: Tensor) -> Tensor:
    # x in the format of the products
    if self.bf16:
      return torch.to(x, 15)
    return x

  def split(self: __torch__.Kernels, qkv: Tensor, heads: int) -> Tensor:
    # [B, T, 3 H D] -> [3, B, H, T, D], in the format of the products
    return self.parts(self.rounded(qkv), heads)

  def parts(self: __torch__.Kernels, qkv: Tensor, heads: int) -> Tensor:
    B = qkv.size(0)
    T = qkv.size(1)
    D = qkv.size(2) // (3 * heads)
    return torch.permute(torch.reshape(qkv, [B, T, 3, heads, D]), [2, 0, 3, 1, 4])

  def merge(self: __torch__.Kernels, out: Tensor, qkv: Tensor) -> Tensor:
    # [B, H, T, D] -> [B, T, H D], in the format of qkv
    B = out.size(0)
    T = out.size(2)
    return torch.type_as(torch.reshape(torch.transpose(out, 1, 2), [B, T, -1]), qkv)

  def attend(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
    # q [m, H, w, D], k and v [m, H, n, D], bias [1, H, w, n] -> [m, H, w, D]
    mask = torch.type_as(bias, q)
    if ops.prim.requires_grad(mask) and not ops.prim.is_cuda(q):
      return self.attend_by_scores(q, k, v, bias)
    return self.fused(q, k, v, self.align(mask), False)

  def fused(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor], causal: bool) -> Tensor:
    # CUDA's kernels take heads of a multiple of 8 numbers. Zeros behind them change no score.
    D = q.size(3)
    E = v.size(3)
    if self.gpu and (D % 8 > 0 or E % 8 > 0):
      query = torch.constant_pad_nd(q, [0, (8 - D % 8) % 8], 0)
      key = torch.constant_pad_nd(k, [0, (8 - D % 8) % 8], 0)
      value = torch.constant_pad_nd(v, [0, (8 - E % 8) % 8], 0)
      wide = self.fused_heads(query, key, value, mask, causal, torch.div(1., torch.sqrt(D)))
      return torch.slice(wide, 3, 0, E)
    return self.fused_heads(q, k, v, mask, causal, None)

  def fused_heads(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor], causal: bool, scale: Optional[float]) -> Tensor:
    # At most 65,535 sequences at a time: more of them exceed the grid of CUDA's kernels.
    if self.takes_cudnn(q, k, mask):
      out = self.by_cudnn(q, k, v, mask, causal, scale)
      return out
    self.require_fused(q, k, v, mask, causal)
    if q.size(0) <= 65535:
      return torch.scaled_dot_product_attention(q, k, v, mask, 0., causal, scale=scale, enable_gqa=False)
    queries = torch.split(q, 65535, 0)
    keys = torch.split(k, 65535, 0)
    values = torch.split(v, 65535, 0)
    outs = annotate(List[Tensor], [])
    i = 0
    while i < torch.len(queries):
      outs = torch.append(outs, torch.scaled_dot_product_attention(queries[i], keys[i], values[i], mask, 0., causal, scale=scale, enable_gqa=False))
      i = i + 1
    return torch.cat(outs, 0)

  def takes_cudnn(self: __torch__.Kernels, q: Tensor, k: Tensor, mask: Optional[Tensor]) -> bool:
    # cuDNN has no gradient of a bias, and takes no single key. A pass without gradients would not repay
    # the plan that cuDNN makes for each shape.
    takes = self.cudnn and torch.is_grad_enabled() and ops.prim.dtype(q) == 15 and q.size(0) <= 65535 and k.size(2) > 1
    if mask is not None:
      takes = takes and not ops.prim.requires_grad(mask)
    return takes

  def by_cudnn(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor], causal: bool, scale: Optional[float]) -> Tensor:
    # cuDNN either computes this without a matrix of scores, or fails.
    if not self.are_aligned(q, k, v, mask):
      self.reject(3, q, k)
    out, _0, _1, _2, _3, _4, _5, _6, _7 = torch._scaled_dot_product_cudnn_attention(q, k, v, mask, True, 0., causal, False, scale=scale)
    return out

  def are_aligned(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor]) -> bool:
    fits = self.is_aligned(q) and self.is_aligned(k) and self.is_aligned(v)
    if mask is not None:
      fits = fits and self.is_aligned(mask)
    return fits

  def reject(self: __torch__.Kernels, kernel: int, q: Tensor, k: Tensor) -> None:
    ops.prim.RaiseException(torch.format("no fused attention kernel of this device takes these tensors: kernel {} for queries {}, keys {}", kernel, torch.size(q), torch.size(k)), "builtins.RuntimeError")
    return None

  def require_fused(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, mask: Optional[Tensor], causal: bool) -> None:
    # libtorch silently falls back to a kernel that computes all scores, number 0, for some memory
    # layouts. Flash attention is number 1, memory-efficient attention is 2, cuDNN's is 3. Other releases of
    # libtorch may prefer other kernels, so only the known release has to choose the known number.
    found = torch._fused_sdp_choice(q, k, v, mask, 0., causal, scale=None, enable_gqa=False)
    fits = found > 0
    if self.gpu:
      fits = fits and self.are_aligned(q, k, v, mask)
    expected = 1
    if mask is not None:
      expected = 2
    if ops.prim.dtype(q) == 6:
      expected = 2
    if ops.prim.is_cuda(q) and self.libtorch == 20701:
      fits = fits and found == expected
    if not fits:
      self.reject(found, q, k)
    return None

  def is_aligned(self: __torch__.Kernels, x: Tensor) -> bool:
    # Whether the numbers of each row are adjacent, and rows begin at multiples of 8 numbers, which are
    # 16 bytes in bfloat16. CUDA's kernels do not check that a bias begins there.
    ok = torch.stride(x, 3) == 1 and torch.storage_offset(x) % 8 == 0
    for i in range(3):
      ok = ok and (x.size(i) == 1 or torch.stride(x, i) % 8 == 0)
    return ok

  def align(self: __torch__.Kernels, bias: Tensor) -> Tensor:
    # On a GPU, a copy whose rows are aligned, unless they are.
    if self.gpu and not self.is_aligned(bias):
      n = bias.size(3)
      return torch.slice(torch.constant_pad_nd(bias, [0, (8 - n % 8) % 8], 0), 3, 0, n)
    return bias

  def attend_by_scores(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
    # libtorch has no fused kernel for a CPU that computes gradients of a bias. Sequences are computed
    # in groups of about 4 million scores, so that intermediate results stay in caches.
    rows = max(4, 4194304 // (q.size(1) * q.size(2) * k.size(2)))
    queries = torch.split(torch.div(torch.to(q, 6), torch.sqrt(q.size(3))), rows, 0)
    keys = torch.split(torch.transpose(torch.to(k, 6), 2, 3), rows, 0)
    values = torch.split(torch.to(v, 6), rows, 0)
    outs = annotate(List[Tensor], [])
    i = 0
    while i < torch.len(queries):
      scores = torch.add_(torch.matmul(queries[i], keys[i]), bias)
      outs = torch.append(outs, torch.matmul(torch.softmax(scores, 3), values[i]))
      i = i + 1
    return torch.cat(outs, 0)

  def reversed_row(self: __torch__.Kernels, table: Tensor, w: int) -> Tensor:
    # table [H, n] -> [H, n + w - 1]: the bias of the last of n queries over its keys, then w - 1
    # forbidden keys. The bias of the query j positions earlier is the same row from index j on.
    future = torch.new_full(table, [table.size(0), w - 1], -1e30)
    return torch.cat([torch.flip(table, [1]), future], 1)

  def toeplitz(self: __torch__.Kernels, table: Tensor, w: int) -> Tensor:
    # table [H, n] -> bias [1, H, w, n] of the last w of n queries. Fused kernels reject the memory
    # layout of some flipped views, so the result is copied.
    windows = torch.unfold(self.reversed_row(table, w), 1, table.size(1), 1)
    return torch.unsqueeze(torch.contiguous(torch.flip(windows, [1])), 0)

  def bias(self: __torch__.Kernels, table: Tensor) -> Tensor:
    # [H, T] -> [1, H, T, T]. A GPU takes it in the format of the products: one cast for all layers.
    bias = self.toeplitz(table, table.size(1))
    if self.gpu and self.bf16:
      bias = torch.to(bias, 15)
    return self.align(bias)

  def shared(self: __torch__.Kernels, table: Tensor, block: Tensor) -> Tensor:
    return self.shared_bias(self.rounded(table), int(block))

  def exact_shared(self: __torch__.Kernels, table: Tensor, block: Tensor) -> Tensor:
    return self.shared_bias(table, int(block))

  def shared_bias(self: __torch__.Kernels, table: Tensor, step: int) -> Tensor:
    # table [H, T] -> what the biases of all blocks of `step` queries are views of. On a CPU, the
    # reversed row. Rows of a GPU's bias must be aligned: the bias [1, H, step, n] of the last block,
    # where n is T rounded up to whole blocks. A block has the same bias, `step` keys further right.
    if self.gpu:
      T = table.size(1)
      n = (T + step - 1) // step * step
      return self.toeplitz(torch.constant_pad_nd(table, [0, n - T], -1e30), step)
    return self.reversed_row(table, step)

  def block_bias(self: __torch__.Kernels, shared: Tensor, n: int, w: int, T: int, step: int) -> Tensor:
    # The bias [1, H, w, n] of a block of w queries over the n keys up to its end, of T in all. On a CPU
    # the queries are in reverse order: each one starts one index later in the row.
    if self.gpu:
      end = (n + step - 1) // step * step
      first = shared.size(3) - end
      return torch.slice(torch.slice(shared, 3, first, first + n), 2, 0, w)
    return torch.unsqueeze(torch.unfold(torch.slice(shared, 1, T - n, T + w - 1), 1, n, 1), 0)

  def causal(self: __torch__.Kernels, qkv: Tensor, heads: Tensor) -> Tensor:
    q, k, v = torch.unbind(self.split(qkv, int(heads)))
    return self.merge(self.fused(q, k, v, None, True), qkv)

  def both_directions(self: __torch__.Kernels, qkv: Tensor, heads: Tensor) -> Tensor:
    q, k, v = torch.unbind(self.split(qkv, int(heads)))
    return self.merge(self.fused(q, k, v, None, False), qkv)

  def dense(self: __torch__.Kernels, qkv: Tensor, bias: Tensor, block: Tensor) -> Tensor:
    # bias [1, H, T, T]. A block of queries reads only the keys up to its own end. The bias is split
    # into all blocks at once, because the backward pass is then one concatenation.
    q, k, v = torch.unbind(self.split(qkv, bias.size(1)))
    step = int(block)
    queries = torch.split(q, step, 2)
    masks = torch.split(bias, step, 2)
    keys = self.prefixes(k, step)
    values = self.prefixes(v, step)
    outs = annotate(List[Tensor], [])
    i = 0
    while i < torch.len(queries):
      j = torch.len(queries) - 1 - i
      mask = torch.slice(masks[i], 3, 0, keys[j].size(2))
      outs = torch.append(outs, self.attend(queries[i], keys[j], values[j], mask))
      i = i + 1
    return self.merge(torch.cat(outs, 2), qkv)

  def prefixes(self: __torch__.Kernels, x: Tensor, step: int) -> List[Tensor]:
    # The keys or values [B, H, T, D] that each block of queries reads, for the last block first.
    # Each is a slice of the previous one. The backward pass of a slice fills its whole input, so a
    # slice of a shorter tensor is cheaper.
    parts = annotate(List[Tensor], [])
    parts = torch.append(parts, x)
    part = x
    end = (x.size(2) - 1) // step * step
    while end > 0:
      part = torch.slice(part, 2, 0, end)
      parts = torch.append(parts, part)
      end = end - step
    return parts

  def blockwise(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, shared: Tensor, step: int, factor: Optional[Tensor]) -> Tensor:
    # q, k, v [B, H, T, D] -> [B, H, T, D]. factor [1, H or 1, T, 1] multiplies the bias. On a CPU the queries of a block are in reverse order. Then
    # its bias is a view of one row, and the bias of all pairs is never stored.
    T = q.size(2)
    queries = torch.split(q, step, 2)
    keys = self.prefixes(k, step)
    values = self.prefixes(v, step)
    outs = annotate(List[Tensor], [])
    i = 0
    while i < torch.len(queries):
      j = torch.len(queries) - 1 - i
      w = queries[i].size(2)
      mask = self.block_bias(shared, keys[j].size(2), w, T, step)
      if factor is not None:
        own = torch.slice(factor, 2, i * step, i * step + w)
        if not self.gpu:
          own = torch.flip(own, [2])
        mask = self.multiplied(mask, own)
      if self.gpu:
        out = self.attend(queries[i], keys[j], values[j], mask)
      else:
        out = torch.flip(self.attend(torch.flip(queries[i], [2]), keys[j], values[j], mask), [2])
      outs = torch.append(outs, out)
      i = i + 1
    return torch.cat(outs, 2)

  def dense_in_blocks(self: __torch__.Kernels, qkv: Tensor, shared: Tensor, heads: Tensor, block: Tensor) -> Tensor:
    # A block of queries reads only the keys up to its own end.
    q, k, v = torch.unbind(self.split(qkv, int(heads)))
    return self.merge(self.blockwise(q, k, v, shared, int(block), None), qkv)

  def factor(self: __torch__.Kernels, p: List[Tensor]) -> Tensor:
    # Factors of queries [N, 1], and perhaps those of heads [H] -> [1, H or 1, N, 1]
    f = p[0]
    if torch.len(p) > 1:
      f = torch.mul(f, p[1])
    return torch.unsqueeze(torch.unsqueeze(torch.t(f), 2), 0)

  def tempered(self: __torch__.Kernels, x: Tensor, width: Tensor, p: List[Tensor]) -> Tensor:
    # x [B, N, g] with its first H D numbers, the queries, multiplied.
    f = torch.transpose(self.factor(p), 1, 2)
    q = torch.slice(x, 2, 0, int(width))
    by_head = torch.reshape(q, [q.size(0), q.size(1), f.size(2), -1])
    own = torch.reshape(torch.type_as(torch.mul(by_head, f), x), torch.size(q))
    return torch.cat([own, torch.slice(x, 2, int(width))], 2)

  def multiplied(self: __torch__.Kernels, bias: Tensor, factor: Tensor) -> Tensor:
    # A factor may be 0 or negative, so forbidden keys are left as they are. Fused kernels reject the
    # memory layout of the bias, so the result is copied.
    return torch.contiguous(torch.where(torch.lt(bias, -1e29), bias, torch.mul(bias, factor)))

  def dense_by_query(self: __torch__.Kernels, qkv: Tensor, shared: Tensor, heads: Tensor, block: Tensor, p: List[Tensor]) -> Tensor:
    q, k, v = torch.unbind(self.split(qkv, int(heads)))
    return self.merge(self.blockwise(q, k, v, shared, int(block), self.factor(p)), qkv)

  def plain_by_query(self: __torch__.Kernels, qkv: Tensor, table: Tensor, p: List[Tensor]) -> Tensor:
    q, k, v = torch.unbind(self.split(qkv, table.size(0)))
    bias = self.multiplied(self.all_pairs(table, 1, qkv.size(1)), self.factor(p))
    return self.all_scores(q, k, v, bias, qkv)

  def dense_last_by_query(self: __torch__.Kernels, q: Tensor, kv: Tensor, table: Tensor, p: List[Tensor]) -> Tensor:
    return self.last(q, kv, torch.mul(self.last_row(table), self.factor(p)))

  def dense_last(self: __torch__.Kernels, q: Tensor, kv: Tensor, table: Tensor) -> Tensor:
    # The last position's query q [B, 1, H D] over all keys and values.
    return self.last(q, kv, self.last_row(table))

  def last_row(self: __torch__.Kernels, table: Tensor) -> Tensor:
    # table [H, n] -> bias [1, H, 1, n] of the last of n queries.
    return torch.unsqueeze(torch.unsqueeze(torch.flip(table, [1]), 1), 0)

  def unbiased_last(self: __torch__.Kernels, q: Tensor, kv: Tensor, heads: Tensor) -> Tensor:
    bias = torch.new_zeros(q, [1, int(heads), 1, kv.size(1)])
    return self.last(q, kv, bias)

  def last(self: __torch__.Kernels, q: Tensor, kv: Tensor, bias: Tensor) -> Tensor:
    # One query q [B, 1, H D] for each sequence of keys and values, bias [1, H, 1, n].
    B = q.size(0)
    H = bias.size(1)
    D = q.size(2) // H
    query = self.rounded(torch.reshape(q, [B, H, 1, D]))
    k, v = torch.unbind(torch.reshape(self.rounded(kv), [B, kv.size(1), 2, H, D]), 2)
    return self.merge(self.attend(query, torch.transpose(k, 1, 2), torch.transpose(v, 1, 2), bias), q)

  def fire_last(self: __torch__.Kernels, q: Tensor, kv: Tensor, c: Tensor, l: Tensor, w: Tensor, b: Tensor, u: Tensor, e: Tensor) -> Tensor:
    T = kv.size(1)
    return self.last(q, kv, self.fire_bias(c, l, w, b, u, e, T - 1, T))

  def windows(self: __torch__.Kernels, qkv: Tensor, r: Tensor, first: int, w: int) -> Tensor:
    # One sequence qkv [m, 3, H, D] -> [m - first, H D]: the queries from index first >= C on, in
    # blocks of w. The keys of each block are a view; views overlap, so keys are not copied.
    C = r.size(1)
    keys = torch.slice(qkv, 0, first - C)
    q = torch.unfold(torch.slice(torch.select(qkv, 1, 0), 0, first), 0, w, w)
    k = torch.unfold(torch.select(keys, 1, 1), 0, C + w, w)
    v = torch.unfold(torch.select(keys, 1, 2), 0, C + w, w)
    bias = self.toeplitz(torch.constant_pad_nd(r, [0, w], -1e30), w)
    out = self.attend(torch.transpose(q, 2, 3), torch.transpose(k, 2, 3), torch.transpose(v, 2, 3), bias)
    return torch.reshape(torch.transpose(out, 1, 2), [-1, qkv.size(2) * qkv.size(3)])

  def sliding(self: __torch__.Kernels, qkv: Tensor, r: Tensor, width: Tensor, block: Tensor) -> Tensor:
    # Windows of the C positions up to each query, without copies of keys, for inference. The first C
    # queries see all keys before them. Later queries form blocks of w; the last block may be smaller.
    H = r.size(0)
    B = qkv.size(0)
    T = qkv.size(1)
    head = min(r.size(1), T)
    w = int(width)
    end = head + (T - head) // w * w
    q, k, v = torch.unbind(self.split(torch.slice(qkv, 1, 0, head), H))
    step = int(block)
    bias = self.shared_bias(self.rounded(torch.slice(r, 1, 0, head)), step)
    out = self.merge(self.blockwise(q, k, v, bias, step, None), qkv)
    if T > head:
      outs = annotate(List[Tensor], [])
      b = 0
      while b < B:
        one = torch.reshape(self.rounded(torch.select(qkv, 0, b)), [T, 3, H, -1])
        if end > head:
          outs = torch.append(outs, self.windows(torch.slice(one, 0, 0, end), r, head, w))
        if T > end:
          outs = torch.append(outs, self.windows(one, r, end, T - end))
        b = b + 1
      later = torch.reshape(torch.cat(outs, 0), [B, T - head, -1])
      out = torch.cat([out, torch.type_as(later, qkv)], 1)
    return out

  def chunked(self: __torch__.Kernels, qkv: Tensor, r: Tensor, flat: Tensor, block: Tensor) -> Tensor:
    # The keys of a query are those of its own chunk of C positions up to itself. Each chunk is a sequence.
    # The last one is padded on the right, where no query looks.
    H = r.size(0)
    B = qkv.size(0)
    T = qkv.size(1)
    C = min(r.size(1), T)
    n = (T + C - 1) // C
    rows = torch.reshape(torch.constant_pad_nd(qkv, [0, 0, 0, n * C - T], 0), [B * n, C, -1])
    q, k, v = torch.unbind(self.split(rows, H))
    if bool(flat):
      out = self.fused(q, k, v, None, True)
    else:
      step = int(block)
      out = self.blockwise(q, k, v, self.shared_bias(self.rounded(torch.slice(r, 1, 0, C)), step), step, None)
    return torch.slice(torch.reshape(self.merge(out, qkv), [B, n * C, -1]), 1, 0, T)

  def sliding_last(self: __torch__.Kernels, q: Tensor, kv: Tensor, r: Tensor) -> Tensor:
    # Queries q [B, S, H D] at every C-th position, counted back from the last one, with n > (S - 1) C
    # keys -> [B, S, H D]. The windows of these queries share no key. The first window may be shorter.
    C = r.size(1)
    B = q.size(0)
    S = q.size(1)
    width = q.size(2)
    short = kv.size(1) - (S - 1) * C
    own = self.last_row(torch.slice(r, 1, 0, short))
    out = self.last(torch.slice(q, 1, 0, 1), torch.slice(kv, 1, 0, short), own)
    if S > 1:
      rows = B * (S - 1)
      later = torch.reshape(torch.slice(q, 1, 1), [rows, 1, width])
      keys = torch.reshape(torch.slice(kv, 1, short), [rows, C, 2 * width])
      rest = torch.reshape(self.last(later, keys, self.last_row(r)), [B, S - 1, width])
      out = torch.cat([out, rest], 1)
    return out

  def windows_last(self: __torch__.Kernels, q: Tensor, kv: Tensor, r: Tensor) -> Tensor:
    # sliding_last where every window is complete: kv [B, S C, 2 H D]. Sums of element-wise products
    # have gradients, and are faster than products of matrices of C rows.
    if self.bf16:
      q = torch.to(torch.to(q, 15), 6)
      kv = torch.to(torch.to(kv, 15), 6)
    H = r.size(0)
    C = r.size(1)
    B = q.size(0)
    S = q.size(1)
    D = q.size(2) // H
    k, v = torch.unbind(torch.reshape(kv, [B, S, C, 2, H, D]), 3)
    query = torch.reshape(q, [B, S, 1, H, D])
    scores = torch.div(torch.sum(torch.mul(query, k), [4]), torch.sqrt(D))
    weights = torch.softmax(torch.add(scores, torch.t(torch.flip(r, [1]))), 2)
    out = torch.sum(torch.mul(torch.unsqueeze(weights, 4), v), [2])
    return torch.reshape(out, [B, S, H * D])

  def rotate(self: __torch__.Kernels, x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    # Rotates the pairs (i, i + P) of the last axis of x by angles [T, P], in float32. x is [B, H, T, D],
    # or any tensor with which the angles are broadcast. Numbers from 2 P on stay.
    P = cos.size(-1)
    a = torch.slice(x, 3, 0, P)
    b = torch.slice(x, 3, P, 2 * P)
    left = torch.sub(torch.mul(a, cos), torch.mul(b, sin))
    right = torch.add(torch.mul(b, cos), torch.mul(a, sin))
    parts = [left, right]
    if 2 * P < x.size(3):
      parts = [left, right, torch.slice(x, 3, 2 * P)]
    return torch.cat(parts, 3)

  def rotate_qkv(self: __torch__.Kernels, qkv: Tensor, heads: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    # [B, N, 3 H D] with queries and keys rotated, in the format of qkv.
    B = qkv.size(0)
    N = qkv.size(1)
    H = int(heads)
    x = torch.reshape(qkv, [B, N, 3 * H, -1])
    own_cos = torch.unsqueeze(torch.slice(cos, 0, 0, N), 1)
    own_sin = torch.unsqueeze(torch.slice(sin, 0, 0, N), 1)
    qk = self.rotate(torch.to(torch.slice(x, 2, 0, 2 * H), 6), own_cos, own_sin)
    return torch.reshape(torch.cat([torch.type_as(qk, x), torch.slice(x, 2, 2 * H)], 2), [B, N, -1])

  def rotary(self: __torch__.Kernels, qkv: Tensor, heads: Tensor, groups: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    q, k, v = self.rotated(qkv, int(heads), int(groups), cos, sin)
    return self.merge(self.fused(q, k, v, None, True), qkv)

  def rotary_both_directions(self: __torch__.Kernels, qkv: Tensor, heads: Tensor, groups: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    q, k, v = self.rotated(qkv, int(heads), int(groups), cos, sin)
    return self.merge(self.fused(q, k, v, None, False), qkv)

  def rotated(self: __torch__.Kernels, qkv: Tensor, heads: int, groups: int, cos: Tensor, sin: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    # [B, T, (H + 2 G) D] -> [B, H, T, D] each. Keys and values of G heads are repeated after the rotation.
    rows = torch.reshape(qkv, [qkv.size(0), qkv.size(1), heads + 2 * groups, -1])
    both = torch.to(torch.slice(rows, 2, 0, heads + groups), 6)
    both = self.rotate(both, torch.unsqueeze(cos, 1), torch.unsqueeze(sin, 1))
    q = torch.transpose(torch.slice(both, 2, 0, heads), 1, 2)
    k = torch.transpose(torch.slice(both, 2, heads), 1, 2)
    v = torch.transpose(torch.slice(rows, 2, heads + groups), 1, 2)
    if groups < heads:
      k = self.repeat(k, heads // groups)
      v = self.repeat(v, heads // groups)
    return (self.rounded(q), self.rounded(k), self.rounded(v))

  def repeat(self: __torch__.Kernels, x: Tensor, R: int) -> Tensor:
    # [B, G, T, D] -> [B, G R, T, D]
    return torch.flatten(torch.expand(torch.unsqueeze(x, 2), [-1, -1, R, -1, -1]), 1, 2)

  def rotary_last(self: __torch__.Kernels, q: Tensor, kv: Tensor, heads: Tensor, groups: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    # The last position's query q [B, 1, H D] over all keys and values of G heads, or over those of a
    # window. Only distances count, so the first of them may have position 0. The H / G queries that read
    # the same keys attend together.
    B = q.size(0)
    T = kv.size(1)
    if T < cos.size(0):
      cos = torch.slice(cos, 0, 0, T)
      sin = torch.slice(sin, 0, 0, T)
    G = int(groups)
    D = q.size(2) // int(heads)
    k, v = torch.unbind(torch.permute(torch.reshape(kv, [B, T, 2, G, D]), [2, 0, 3, 1, 4]))
    query = torch.reshape(q, [B, G, -1, D])
    query = self.rotate(query, torch.slice(cos, 0, T - 1, T), torch.slice(sin, 0, T - 1, T))
    k = self.rotate(k, cos, sin)
    out = self.fused(self.rounded(query), self.rounded(k), self.rounded(v), None, False)
    return torch.type_as(torch.reshape(out, torch.size(q)), q)

  def repeat_groups(self: __torch__.Kernels, x: Tensor, groups: Tensor, repeats: Tensor, width: Tensor, carried: Tensor) -> Tensor:
    # Each of G heads of keys and values, repeated R = H / G times. Queries of H heads may stand before
    # them: [B, n, (H + 2 G) D] -> [B, n, 3 H D], or [B, n, 2 G D] -> [B, n, 2 H D]. The numbers that
    # positions carry stay behind them.
    B = x.size(0)
    n = x.size(1)
    G = int(groups)
    R = int(repeats)
    D = int(width)
    end = x.size(2) - int(carried)
    first = end - 2 * G * D
    kv = torch.reshape(torch.slice(x, 2, first, end), [B, n, 2 * G, 1, D])
    parts = [torch.expand(kv, [B, n, 2 * G, R, D])]
    if first > 0:
      parts = [torch.reshape(torch.slice(x, 2, 0, first), [B, n, G, R, D]), parts[0]]
    repeated = torch.reshape(torch.cat(parts, 2), [B, n, -1])
    if end < x.size(2):
      repeated = torch.cat([repeated, torch.slice(x, 2, end)], 2)
    return repeated

  def fire_bias(self: __torch__.Kernels, c: Tensor, l: Tensor, w: Tensor, b: Tensor, u: Tensor, e: Tensor, first: int, n: int) -> Tensor:
    # FIRE's network: c and l, weight w and bias b of the hidden layer, weight u and bias e of the
    # output layer -> bias [1, H, n - first, n] of the queries first..n-1 over the keys 0..n-1, in the
    # memory layout that fused kernels require.
    query = torch.unsqueeze(torch.arange(first, n, dtype=6, device=c.device), 1)
    key = torch.unsqueeze(torch.arange(n, dtype=6, device=c.device), 0)
    distance = torch.sub(query, key)
    near = torch.log1p(torch.mul(torch.clamp(distance, 0), c))
    x = torch.div(near, torch.log1p(torch.mul(torch.maximum(query, l), c)))
    hidden = torch.relu(torch.linear(torch.unsqueeze(x, 2), w, b))
    bias = torch.contiguous(torch.permute(torch.linear(hidden, u, e), [2, 0, 1]))
    return torch.unsqueeze(torch.masked_fill(bias, torch.lt(distance, 0), -1e30), 0)

  def fire(self: __torch__.Kernels, qkv: Tensor, c: Tensor, l: Tensor, w: Tensor, b: Tensor, u: Tensor, e: Tensor, block: Tensor) -> Tensor:
    q, k, v = torch.unbind(self.split(qkv, u.size(0)))
    step = int(block)
    queries = torch.split(q, step, 2)
    keys = self.prefixes(k, step)
    values = self.prefixes(v, step)
    outs = annotate(List[Tensor], [])
    i = 0
    while i < torch.len(queries):
      j = torch.len(queries) - 1 - i
      mask = self.fire_bias(c, l, w, b, u, e, i * step, keys[j].size(2))
      outs = torch.append(outs, self.attend(queries[i], keys[j], values[j], mask))
      i = i + 1
    return self.merge(torch.cat(outs, 2), qkv)

  def products(self: __torch__.Kernels, x: Tensor) -> Tensor:
    # x in the format of the products. A CPU multiplies the rounded numbers in float32.
    x = self.rounded(x)
    if not ops.prim.is_cuda(x):
      x = torch.to(x, 6)
    return x

  def distances(self: __torch__.Kernels, weight: Tensor, sines: Tensor, heads: int) -> Tensor:
    # Transformer-XL's W_R [H D, H D] times the sines and cosines [N, H D] of distances -> [H, D, N].
    relative = torch.matmul(weight, torch.t(sines))
    return torch.reshape(relative, [heads, -1, sines.size(0)])

  def attend_by_content(self: __torch__.Kernels, q: Tensor, k: Tensor, value: Tensor, u: Tensor, v: Tensor, relative: Tensor, causal: bool) -> Tensor:
    # q [H, B, w, D], k and value [H, B, n, D] -> [H, B, w, D]. relative [H, D, w + n] is W_R s(x) for the
    # distances from that of the last query and the first key down. Query i needs n of them, from index
    # w - 1 - i on. If rows are made one number shorter, each row starts one index earlier.
    H = q.size(0)
    B = q.size(1)
    w = q.size(2)
    D = q.size(3)
    n = k.size(2)
    content = self.products(torch.add(q, torch.reshape(u, [H, 1, 1, D])))
    position = self.products(torch.add(q, torch.reshape(v, [H, 1, 1, D])))
    all = torch.matmul(torch.reshape(position, [H, B * w, D]), relative)
    all = torch.slice(torch.reshape(all, [H, B, w * (w + n)]), 2, w - 1, w - 1 + w * (w + n - 1))
    own = torch.slice(torch.reshape(all, [H, B, w, w + n - 1]), 3, 0, n)
    scores = torch.div(torch.add(torch.matmul(content, torch.transpose(k, 2, 3)), own), torch.sqrt(D))
    if causal and w > 1:
      scores = torch.add(scores, self.visible(scores, w, n, True))
    weights = torch.softmax(torch.to(scores, 6), 3)
    return torch.matmul(torch.type_as(weights, value), value)

  def attend_in_groups(self: __torch__.Kernels, q: Tensor, k: Tensor, value: Tensor, u: Tensor, v: Tensor, relative: Tensor, causal: bool) -> Tensor:
    # attend_by_content for groups of sequences with about 4 million products of queries and distances,
    # or 128 million on a GPU, which needs large products.
    products = 4194304
    if self.gpu:
      products = 134217728
    rows = max(1, products // (q.size(0) * q.size(2) * relative.size(2)))
    queries = torch.split(q, rows, 1)
    keys = torch.split(k, rows, 1)
    values = torch.split(value, rows, 1)
    outs = annotate(List[Tensor], [])
    i = 0
    while i < torch.len(queries):
      outs = torch.append(outs, self.attend_by_content(queries[i], keys[i], values[i], u, v, relative, causal))
      i = i + 1
    return torch.cat(outs, 1)

  def by_content(self: __torch__.Kernels, qkv: Tensor, u: Tensor, v: Tensor, weight: Tensor, sines: Tensor, block: Tensor, causal: Tensor) -> Tensor:
    # u, v [H, D], weight W_R [H D, H D]. Without causal, each block of queries reads all keys.
    T = qkv.size(1)
    past = bool(causal)
    q, k, value = torch.unbind(self.products(torch.transpose(self.parts(qkv, u.size(0)), 1, 2)))
    relative = self.products(self.distances(weight, sines, u.size(0)))
    step = int(block)
    queries = torch.split(q, step, 2)
    keys = self.prefixes(k, step)
    values = self.prefixes(value, step)
    outs = annotate(List[Tensor], [])
    i = 0
    while i < torch.len(queries):
      j = 0
      if past:
        j = torch.len(queries) - 1 - i
      w = queries[i].size(2)
      first = T - i * step - w
      own = torch.slice(relative, 2, first, first + w + keys[j].size(2))
      outs = torch.append(outs, self.attend_in_groups(queries[i], keys[j], values[j], u, v, own, past))
      i = i + 1
    return self.merge(torch.transpose(torch.cat(outs, 2), 0, 1), qkv)

  def by_content_last(self: __torch__.Kernels, q: Tensor, kv: Tensor, u: Tensor, v: Tensor, weight: Tensor, sines: Tensor) -> Tensor:
    # The last position's query q [B, 1, H D] over all keys and values.
    H = u.size(0)
    B = q.size(0)
    T = kv.size(1)
    query = self.products(torch.permute(torch.reshape(q, [B, 1, H, -1]), [2, 0, 1, 3]))
    k, value = torch.unbind(self.products(torch.permute(torch.reshape(kv, [B, T, 2, H, -1]), [2, 3, 0, 1, 4])))
    relative = self.products(self.distances(weight, torch.slice(sines, 0, 0, T + 1), H))
    out = self.attend_in_groups(query, k, value, u, v, relative, False)
    return self.merge(torch.transpose(out, 0, 1), q)

  def banded(self: __torch__.Kernels, qkv: Tensor, r: Tensor, dilation: Tensor) -> Tensor:
    # The positions of each residue class modulo the dilation form one sequence, which is split into
    # blocks of w. A block attends to itself and to the block before it, so these two contain every
    # window of C keys. Padding is at the end, where no query of a real position sees it.
    dil = int(dilation)
    H = r.size(0)
    C = r.size(1)
    B = qkv.size(0)
    T = qkv.size(1)
    D = qkv.size(2) // (3 * H)
    n = (T + dil - 1) // dil
    w = min(C, n)
    blocks = (n + w - 1) // w
    x = self.rounded(qkv)
    padding = blocks * w * dil - T
    if padding > 0:
      x = torch.constant_pad_nd(x, [0, 0, 0, padding], 0)
    # [B, blocks, w, dil, 3, H, D] -> [3, B dil, blocks, H, w, D]
    parts = torch.permute(torch.reshape(x, [B, blocks, w, dil, 3, H, D]), [4, 0, 3, 1, 5, 2, 6])
    q, k, v = torch.unbind(torch.reshape(parts, [3, B * dil, blocks, H, w, D]))
    own = self.toeplitz(torch.slice(r, 1, 0, w), w)
    if blocks == 1:
      out = self.attend(torch.squeeze(q, 1), torch.squeeze(k, 1), torch.squeeze(v, 1), own)
      out = torch.unsqueeze(out, 1)
    else:
      first = self.attend(torch.select(q, 1, 0), torch.select(k, 1, 0), torch.select(v, 1, 0), own)
      both = self.toeplitz(torch.constant_pad_nd(r, [0, w], -1e30), w)
      m = B * dil * (blocks - 1)
      later = torch.reshape(torch.slice(q, 1, 1, blocks), [m, H, w, D])
      keys = torch.cat([torch.slice(k, 1, 0, blocks - 1), torch.slice(k, 1, 1, blocks)], 3)
      values = torch.cat([torch.slice(v, 1, 0, blocks - 1), torch.slice(v, 1, 1, blocks)], 3)
      rest = self.attend(later, torch.reshape(keys, [m, H, 2 * w, D]), torch.reshape(values, [m, H, 2 * w, D]), both)
      rest = torch.reshape(rest, [B * dil, blocks - 1, H, w, D])
      out = torch.cat([torch.unsqueeze(first, 1), rest], 1)
    # [B dil, blocks, H, w, D] -> [B, blocks w dil, H D] -> [B, T, H D]
    out = torch.permute(torch.reshape(out, [B, dil, blocks, H, w, D]), [0, 2, 4, 1, 3, 5])
    out = torch.reshape(out, [B, blocks * w * dil, H * D])
    return torch.type_as(torch.slice(out, 1, 0, T), qkv)

  def windowed(self: __torch__.Kernels, qkv: Tensor, heads: Tensor, width: Tensor) -> Tensor:
    # The latest `width` keys of each query, without a bias, by flash attention's own window. CUDA only.
    B = qkv.size(0)
    T = qkv.size(1)
    q, k, v = torch.unbind(torch.reshape(torch.to(qkv, 15), [B, T, 3, int(heads), -1]), 2)
    out, _0, _1, _2, _3 = torch._flash_attention_forward(q, k, v, None, None, T, T, 0., True, False, scale=None, window_size_left=int(width) - 1, window_size_right=0, seqused_k=None, alibi_slopes=None)
    return torch.type_as(torch.reshape(out, [B, T, -1]), qkv)

  def masked(self: __torch__.Kernels, qkv: Tensor, r: Tensor, dilation: Tensor) -> Tensor:
    # The result of banded, from a bias of all T x T pairs in the fused kernel, which keeps no scores.
    q, k, v = torch.unbind(self.split(qkv, r.size(0)))
    return self.merge(self.attend(q, k, v, self.all_pairs(r, int(dilation), qkv.size(1))), qkv)

  def all_pairs(self: __torch__.Kernels, table: Tensor, dil: int, T: int) -> Tensor:
    # table [H, C] by head and steps of the dilation -> bias [1, H, T, T] of all pairs.
    H = table.size(0)
    C = table.size(1)
    positions = torch.arange(T, device=table.device)
    distance = torch.sub(torch.unsqueeze(positions, 1), torch.unsqueeze(positions, 0))
    step = torch.floor_divide(distance, dil)
    outside = torch.__or__(torch.ne(torch.remainder(distance, dil), 0), torch.__or__(torch.lt(step, 0), torch.ge(step, C)))
    bias = torch.index_select(table, 1, torch.reshape(torch.clamp(step, 0, C - 1), [-1]))
    return torch.masked_fill(torch.reshape(bias, [1, H, T, T]), outside, -1e30)

  def all_scores(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, bias: Tensor, qkv: Tensor) -> Tensor:
    # softmax(q k / sqrt(D) + bias) v, computed literally, with every score at once.
    scores = torch.div(torch.matmul(q, torch.transpose(k, 2, 3)), torch.sqrt(q.size(3)))
    weights = torch.softmax(torch.add(scores, torch.type_as(bias, q)), 3)
    return self.merge(torch.matmul(weights, v), qkv)

  def plain(self: __torch__.Kernels, qkv: Tensor, table: Tensor, dilation: Tensor) -> Tensor:
    # Any bias by steps of a dilation, with every score at once. Keys beyond the table are forbidden.
    q, k, v = torch.unbind(self.split(qkv, table.size(0)))
    return self.all_scores(q, k, v, self.all_pairs(table, int(dilation), qkv.size(1)), qkv)

  def plain_chunked(self: __torch__.Kernels, qkv: Tensor, table: Tensor) -> Tensor:
    # Attention to the own chunk of C positions, with every score at once.
    q, k, v = torch.unbind(self.split(qkv, table.size(0)))
    T = qkv.size(1)
    chunk = torch.floor_divide(torch.arange(T, device=table.device), table.size(1))
    outside = torch.ne(torch.unsqueeze(chunk, 1), torch.unsqueeze(chunk, 0))
    bias = torch.masked_fill(self.all_pairs(table, 1, T), outside, -1e30)
    return self.all_scores(q, k, v, bias, qkv)

  def visible(self: __torch__.Kernels, x: Tensor, w: int, n: int, causal: bool) -> Tensor:
    # A bias [w, n] of the last w of n positions: -1e30 if the key lies after the query, else 0.
    if causal:
      return torch.triu(torch.new_full(x, [w, n], -1e30), n - w + 1)
    return torch.new_zeros(x, [w, n])

  def plain_causal(self: __torch__.Kernels, qkv: Tensor, heads: Tensor) -> Tensor:
    q, k, v = torch.unbind(self.split(qkv, int(heads)))
    T = qkv.size(1)
    return self.all_scores(q, k, v, self.visible(q, T, T, True), qkv)

  def plain_both_directions(self: __torch__.Kernels, qkv: Tensor, heads: Tensor) -> Tensor:
    q, k, v = torch.unbind(self.split(qkv, int(heads)))
    return self.all_scores(q, k, v, torch.new_zeros(q, [1]), qkv)

  def plain_rotary(self: __torch__.Kernels, qkv: Tensor, heads: Tensor, groups: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    q, k, v = self.rotated(qkv, int(heads), int(groups), cos, sin)
    T = qkv.size(1)
    return self.all_scores(q, k, v, self.visible(q, T, T, True), qkv)

  def plain_rotary_both_directions(self: __torch__.Kernels, qkv: Tensor, heads: Tensor, groups: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    q, k, v = self.rotated(qkv, int(heads), int(groups), cos, sin)
    return self.all_scores(q, k, v, torch.new_zeros(q, [1]), qkv)

  def plain_by_content(self: __torch__.Kernels, qkv: Tensor, u: Tensor, v: Tensor, weight: Tensor, sines: Tensor, block: Tensor, causal: Tensor) -> Tensor:
    # Each pair of positions reads the product of its query and its distance by an index.
    H = u.size(0)
    D = u.size(1)
    T = qkv.size(1)
    q, k, value = torch.unbind(self.split(qkv, H))
    relative = self.distances(weight, sines, H)
    products = torch.matmul(torch.add(torch.to(q, 6), torch.reshape(v, [H, 1, D])), relative)
    positions = torch.arange(T, device=qkv.device)
    distance = torch.sub(torch.unsqueeze(positions, 1), torch.unsqueeze(positions, 0))
    index = torch.clamp(torch.rsub(distance, T - 1), 0, sines.size(0) - 1)
    chosen = torch.gather(products, 3, torch.expand(index, [qkv.size(0), H, T, T]))
    bias = torch.add(torch.div(chosen, torch.sqrt(D)), self.visible(chosen, T, T, bool(causal)))
    query = torch.type_as(torch.add(q, torch.reshape(u, [H, 1, D])), q)
    return self.all_scores(query, k, value, bias, qkv)

  def plain_fire(self: __torch__.Kernels, qkv: Tensor, c: Tensor, l: Tensor, w: Tensor, b: Tensor, u: Tensor, e: Tensor, block: Tensor) -> Tensor:
    # The bias is computed for one block of queries at a time: the hidden units of all pairs would not
    # fit into memory.
    q, k, v = torch.unbind(self.split(qkv, u.size(0)))
    T = q.size(2)
    biases = annotate(List[Tensor], [])
    first = 0
    while first < T:
      n = min(first + int(block), T)
      bias = self.fire_bias(c, l, w, b, u, e, first, n)
      biases = torch.append(biases, torch.constant_pad_nd(bias, [0, T - n], -1e30))
      first = n
    return self.all_scores(q, k, v, torch.cat(biases, 2), qkv)

  def select(self: __torch__.Kernels, index: Tensor, table: Tensor, axis: Tensor) -> Tensor:
    # The rows (axis 0) or columns (axis 1) of a table at some places.
    return torch.index_select(table, int(axis), index)

  def clamp(self: __torch__.Kernels, values: Tensor, low: Tensor, high: Tensor) -> Tensor:
    return torch.clamp(values, float(low), float(high))
