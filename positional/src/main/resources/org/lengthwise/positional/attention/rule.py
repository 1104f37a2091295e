# How the rule RULE runs over all queries. AttentionKernels replaces its name.

  def by_rows_RULE(self: __torch__.Kernels, qkv: Tensor, heads: Tensor, block: Tensor, p: List[Tensor]) -> Tensor:
    # qkv [B, T, 3 H D], or [B, T, 3 H D + H] with the logits of the forget gates.
    return self.all_rows_RULE(qkv, int(heads), int(block), True, p)

  def plain_by_rows_RULE(self: __torch__.Kernels, qkv: Tensor, heads: Tensor, block: Tensor, p: List[Tensor]) -> Tensor:
    return self.all_rows_RULE(qkv, int(heads), int(block), False, p)

  def all_rows_RULE(self: __torch__.Kernels, qkv: Tensor, H: int, step: int, fused: bool, p: List[Tensor]) -> Tensor:
    width = 3 * H * (qkv.size(2) // (3 * H))
    q, k, v = torch.unbind(self.parts(torch.slice(qkv, 2, 0, width), H))
    c = self.decay(torch.slice(qkv, 2, width))
    return self.merge(self.attend_RULE(q, k, v, c, step, fused, p), qkv)

  def by_rows_last_RULE(self: __torch__.Kernels, q: Tensor, kv: Tensor, heads: Tensor, p: List[Tensor]) -> Tensor:
    # The last position's query q [B, 1, H D] over all keys and values [B, n, 2 H D], or [.., 2 H D + H].
    B = q.size(0)
    H = int(heads)
    query = torch.reshape(q, [B, H, 1, -1])
    width = 2 * q.size(2)
    parts = torch.reshape(torch.slice(kv, 2, 0, width), [B, kv.size(1), 2, H, -1])
    k, v = torch.unbind(torch.permute(parts, [2, 0, 3, 1, 4]))
    c = self.decay(torch.slice(kv, 2, width))
    return self.merge(self.attend_RULE(query, k, v, c, 1, True, p), q)

  def attend_RULE(self: __torch__.Kernels, q: Tensor, k: Tensor, v: Tensor, c: Tensor, step: int, fused: bool, p: List[Tensor]) -> Tensor:
    # The last S queries q [B, H, S, D] of n positions -> [B, H, S, D]. The last block of queries comes
    # first, so that the keys of the next are a slice.
    q = self.turned(q, k.size(2) - q.size(2), p)
    k = self.turned(k, 0, p)
    queries = torch.split(torch.div(self.products(q), torch.sqrt(q.size(3))), step, 2)
    keys = torch.flip(self.products(k), [2])
    values = torch.flip(self.products(v), [2])
    sums = torch.flip(c, [2])
    outs = annotate(List[Tensor], [])
    i = torch.len(queries) - 1
    while i >= 0:
      query = queries[i]
      outs = [self.RULE(query, keys, values, sums, fused, p)] + outs
      keys = torch.slice(keys, 2, query.size(2))
      values = torch.slice(values, 2, query.size(2))
      sums = torch.slice(sums, 2, query.size(2))
      i = i - 1
    return torch.cat(outs, 2)
