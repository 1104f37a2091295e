# Kernels of formula schemes, after those of attention.py and before the two methods that KernelText
# writes: formula_fixed and formula_bias. c: parts of the formula without parameters. p: parameters,
# [H or 1, 1, 1] or [H or 1, S]. Dtype codes: 4 is int64, 7 is float64.

  def entry(self: __torch__.Kernels, table: Tensor, index: Tensor) -> Tensor:
    # table [H or 1, S], whole numbers [H or 1, w, n] -> [H or 1, w, n]
    S = table.size(1)
    w = index.size(1)
    n = index.size(2)
    places = torch.clamp(torch.to(index, 4), 0, S - 1)
    if index.size(0) == 1:
      entries = torch.index_select(table, 1, torch.reshape(places, [-1]))
    else:
      entries = torch.gather(torch.expand(table, [index.size(0), S]), 1, torch.reshape(places, [index.size(0), -1]))
    return torch.reshape(entries, [-1, w, n])

  def sqrt(self: __torch__.Kernels, x: Tensor) -> Tensor:
    # The gradient is 0 where x is 0: infinity times the 0 of sqrt(a * delta) would not be a number.
    zero = torch.eq(x, 0)
    return torch.masked_fill(torch.sqrt(torch.masked_fill(x, zero, 1)), zero, 0)

  def power(self: __torch__.Kernels, x: Tensor, y: Tensor) -> Tensor:
    # The gradient by x is 0 where it would be infinite, as above.
    steep = torch.__and__(torch.eq(x, 0), torch.__and__(torch.gt(y, 0), torch.lt(y, 1)))
    return torch.masked_fill(torch.pow(torch.masked_fill(x, steep, 1), y), steep, 0)

  def formula_distances(self: __torch__.Kernels, like: Tensor, length: Tensor, T: Tensor, layer: Tensor) -> List[Tensor]:
    # The parts by distance: the query stands at the distance, and the key at 0.
    distance = torch.reshape(torch.arange(int(length), dtype=7, device=like.device), [1, 1, -1])
    return self.formula_fixed(distance, torch.new_zeros(distance, [1, 1, 1]), T, layer)

  def formula_table(self: __torch__.Kernels, c: List[Tensor], p: List[Tensor]) -> Tensor:
    # The bias by head and distance [H, n].
    return torch.contiguous(torch.squeeze(self.formula_bias(c, p), 1))

  def formula_block(self: __torch__.Kernels, p: List[Tensor], T: Tensor, layer: Tensor, first: int, n: int) -> Tensor:
    # The bias [1, H, n - first, n] of the queries first..n-1 over the keys 0..n-1.
    m = torch.reshape(torch.arange(first, n, dtype=7, device=p[0].device), [1, -1, 1])
    keys = torch.reshape(torch.arange(n, dtype=7, device=p[0].device), [1, 1, -1])
    return torch.unsqueeze(torch.contiguous(self.formula_bias(self.formula_fixed(m, keys, T, layer), p)), 0)

  def formula(self: __torch__.Kernels, qkv: Tensor, p: List[Tensor], heads: Tensor, layer: Tensor, block: Tensor) -> Tensor:
    # The bias is computed for one block of queries at a time. A block reads the keys up to its own end.
    q, k, v = torch.unbind(self.split(qkv, int(heads)))
    T = torch.tensor(q.size(2))
    step = int(block)
    queries = torch.split(q, step, 2)
    keys = self.prefixes(k, step)
    values = self.prefixes(v, step)
    outs = annotate(List[Tensor], [])
    i = 0
    while i < torch.len(queries):
      j = torch.len(queries) - 1 - i
      mask = self.formula_block(p, T, layer, i * step, keys[j].size(2))
      outs = torch.append(outs, self.attend(queries[i], keys[j], values[j], mask))
      i = i + 1
    return self.merge(torch.cat(outs, 2), qkv)

  def formula_last(self: __torch__.Kernels, q: Tensor, kv: Tensor, p: List[Tensor], layer: Tensor) -> Tensor:
    T = kv.size(1)
    return self.last(q, kv, self.formula_block(p, torch.tensor(T), layer, T - 1, T))

  def plain_formula(self: __torch__.Kernels, qkv: Tensor, p: List[Tensor], heads: Tensor, layer: Tensor, block: Tensor) -> Tensor:
    # Every score at once.
    q, k, v = torch.unbind(self.split(qkv, int(heads)))
    T = q.size(2)
    return self.all_scores(q, k, v, self.formula_block(p, torch.tensor(T), layer, 0, T), qkv)

