# Attention kernels. B batch, T length, H heads, D head width, C chunk, w block width, n keys.
# qkv [B, T, 3 H D] holds queries, keys and values side by side; results are [B, T, H D], float32.
# A bias of -1e30 stands for a forbidden key: with -inf a row without keys would become NaN.

  def split(self: __torch__.Kernels, qkv: Tensor, heads: int, half: bool) -> Tensor:
    # [B, T, 3 H D] -> [3, B, H, T, D]
    if half:
      qkv = torch.to(qkv, 15)
    B = qkv.size(0)
    T = qkv.size(1)
    D = qkv.size(2) // (3 * heads)
    return torch.permute(torch.reshape(qkv, [B, T, 3, heads, D]), [2, 0, 3, 1, 4])

  def merge(self: __torch__.Kernels, out: Tensor) -> Tensor:
    # [B, H, T, D] -> [B, T, H D]
    B = out.size(0)
    T = out.size(2)
    return torch.to(torch.reshape(torch.transpose(out, 1, 2), [B, T, -1]), 6)

  def attend(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, bias: Tensor) -> Tensor:
    return torch.scaled_dot_product_attention(q, k, v, torch.type_as(bias, q), 0., False, scale=None, enable_gqa=False)

  def toeplitz(self: __torch__.Kernels, table: Tensor, w: int) -> Tensor:
    # table [H, n] by distance -> bias [1, H, w, n] of the last w queries of n, by shifting one row:
    # repeat it w times with one element too many, so that each query reads it one place later.
    H = table.size(0)
    n = table.size(1)
    future = torch.new_full(table, [H, w], -1e30)
    row = torch.cat([torch.flip(table, [1]), future], 1)
    rows = torch.reshape(torch.expand(torch.unsqueeze(row, 1), [H, w, n + w]), [H, w * (n + w)])
    shifted = torch.reshape(torch.slice(rows, 1, 0, w * (n + w) - w), [1, H, w, n + w - 1])
    return torch.slice(shifted, 3, w - 1, w - 1 + n)

  def bias(self: __torch__.Kernels, table: Tensor) -> Tensor:
    # [H, T] -> [1, H, T, T]
    return self.toeplitz(table, table.size(1))

  def causal(self: __torch__.Kernels, qkv: Tensor, heads: Tensor, half: Tensor) -> Tensor:
    q, k, v = torch.unbind(self.split(qkv, int(heads), bool(half)))
    return self.merge(torch.scaled_dot_product_attention(q, k, v, None, 0., True, scale=None, enable_gqa=False))

  def dense(self: __torch__.Kernels, qkv: Tensor, bias: Tensor, block: Tensor, half: Tensor) -> Tensor:
    # With bias [1, H, T, T]; a block of queries reads only the keys up to its own end.
    q, k, v = torch.unbind(self.split(qkv, bias.size(1), bool(half)))
    T = q.size(2)
    step = int(block)
    outs = annotate(List[Tensor], [])
    first = 0
    while first < T:
      n = min(first + step, T)
      mask = torch.slice(torch.slice(bias, 2, first, n), 3, 0, n)
      out = self.attend(torch.slice(q, 2, first, n), torch.slice(k, 2, 0, n), torch.slice(v, 2, 0, n), mask)
      outs = torch.append(outs, out)
      first = n
    return self.merge(torch.cat(outs, 2))

  def dense_in_blocks(self: __torch__.Kernels, qkv: Tensor, table: Tensor, block: Tensor, half: Tensor) -> Tensor:
    # The same from table [H, T], laying out the bias of one block of queries at a time.
    q, k, v = torch.unbind(self.split(qkv, table.size(0), bool(half)))
    T = q.size(2)
    step = int(block)
    outs = annotate(List[Tensor], [])
    first = 0
    while first < T:
      n = min(first + step, T)
      mask = self.toeplitz(torch.slice(table, 1, 0, n), n - first)
      out = self.attend(torch.slice(q, 2, first, n), torch.slice(k, 2, 0, n), torch.slice(v, 2, 0, n), mask)
      outs = torch.append(outs, out)
      first = n
    return self.merge(torch.cat(outs, 2))

  def banded(self: __torch__.Kernels, qkv: Tensor, r: Tensor, dilation: Tensor, half: Tensor) -> Tensor:
    # Positions of one residue class modulo the dilation form a sequence of their own, cut into
    # blocks of w; a block attends to itself and to the block before it, so a window of C keys is
    # always inside. Padding goes to the right, where causality hides it.
    dil = int(dilation)
    H = r.size(0)
    C = r.size(1)
    B = qkv.size(0)
    T = qkv.size(1)
    D = qkv.size(2) // (3 * H)
    n = (T + dil - 1) // dil
    w = min(C, n)
    blocks = (n + w - 1) // w
    if bool(half):
      qkv = torch.to(qkv, 15)
    padding = blocks * w * dil - T
    if padding > 0:
      qkv = torch.constant_pad_nd(qkv, [0, 0, 0, padding], 0)
    # [B, blocks, w, dil, 3, H, D] -> [3, B dil, blocks, H, w, D]
    parts = torch.permute(torch.reshape(qkv, [B, blocks, w, dil, 3, H, D]), [4, 0, 3, 1, 5, 2, 6])
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
    return torch.to(torch.slice(out, 1, 0, T), 6)

  def masked(self: __torch__.Kernels, qkv: Tensor, r: Tensor, dilation: Tensor, half: Tensor) -> Tensor:
    # What banded computes, the obvious way: scores of all T x T pairs, most of them forbidden.
    H = r.size(0)
    C = r.size(1)
    T = qkv.size(1)
    dil = int(dilation)
    positions = torch.arange(T, device=qkv.device)
    distance = torch.sub(torch.unsqueeze(positions, 1), torch.unsqueeze(positions, 0))
    step = torch.floor_divide(distance, dil)
    outside = torch.__or__(torch.ne(torch.remainder(distance, dil), 0), torch.__or__(torch.lt(step, 0), torch.ge(step, C)))
    bias = torch.index_select(r, 1, torch.reshape(torch.clamp(step, 0, C - 1), [-1]))
    bias = torch.masked_fill(torch.reshape(bias, [1, H, T, T]), outside, -1e30)
    q, k, v = torch.unbind(self.split(qkv, H, bool(half)))
    return self.merge(self.attend(q, k, v, bias))

  def clamp(self: __torch__.Kernels, values: Tensor, low: Tensor, high: Tensor) -> Tensor:
    return torch.clamp(values, float(low), float(high))
