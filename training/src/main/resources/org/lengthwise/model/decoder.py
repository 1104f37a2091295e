# Decoder kernels. B batch, T length, d width, V vocabulary, N = B T rows. Inputs and results are
# float32, except what one kernel hands to the next in training. With self.bf16, products run in bfloat16.
# What is added to the residual stream x, and the norm of x, have the format of x.
# Codes of number formats: 6 = float32, 15 = bfloat16. FormKernels writes the methods that the form of
# the decoder decides: norm and rms (weight g, bias b), the activation, how a block enters attention
# (enter, shape), what it does after attention (after), and the final norm.

  def linear(self: __torch__.Kernels, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
    return torch.to(self.product(x, w, b), 6)

  def product(self: __torch__.Kernels, x: Tensor, w: Tensor, b: Optional[Tensor]) -> Tensor:
    # The result has the format of the products. An empty bias is none: adding zeros costs a pass.
    c = annotate(Optional[Tensor], None)
    if b is not None:
      if torch.numel(b) > 0:
        c = b
    if self.bf16:
      if c is not None:
        c = torch.to(c, 15)
      y = torch.linear(torch.to(x, 15), torch.to(w, 15), c)
    else:
      y = torch.linear(x, self.wide(w), c)
    return y

  def wide(self: __torch__.Kernels, w: Tensor) -> Tensor:
    # A matrix in float32; a file may store it in bfloat16 or float16.
    return torch.to(w, 6)

  def matrix(self: __torch__.Kernels, x: Tensor, rows: Tensor, format: Tensor) -> Tensor:
    # An empty matrix [rows, columns of x] in a format, on the device of x.
    return torch.empty([int(rows), x.size(1)], dtype=int(format), device=x.device)

  def set_rows(self: __torch__.Kernels, w: Tensor, x: Tensor, first: Tensor) -> Tensor:
    # Writes x [n, columns] to the rows of w from first on.
    rows = torch.copy_(torch.slice(w, 0, int(first), int(first) + x.size(0)), x)
    return w

  def embed(self: __torch__.Kernels, tokens: Tensor, wte: Tensor, scale: Tensor) -> Tensor:
    # tokens [B, T] -> [B, T, d], times scale
    return self.scaled(self.wide(torch.embedding(wte, tokens)), float(scale))

  def add_positions(self: __torch__.Kernels, x: Tensor, positions: Tensor, scale: Tensor) -> Tensor:
    # x [B, T, d] times scale, plus the first T rows of positions
    return torch.add(self.scaled(x, float(scale)), torch.slice(positions, 0, 0, x.size(1)))

  def narrow(self: __torch__.Kernels, x: Tensor) -> Tensor:
    return torch.to(x, 15)

  def scaled(self: __torch__.Kernels, x: Tensor, scale: float) -> Tensor:
    if scale == 1.:
      return x
    return torch.mul(x, scale)

  def column(self: __torch__.Kernels, tokens: Tensor, w: Tensor, b: Tensor) -> Tensor:
    return torch.add(torch.embedding(torch.t(w), tokens), b)

  def recur(self: __torch__.Kernels, x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    # x [B, T, d]: h_t = relu(x_t + W h_(t-1) + b) from zeros -> [B, T, d].
    steps = torch.unbind(x, 1)
    h = torch.zeros_like(steps[0])
    states = annotate(List[Tensor], [])
    i = 0
    while i < torch.len(steps):
      h = torch.relu(torch.add(steps[i], self.linear(h, w, b)))
      states = torch.append(states, h)
      i = i + 1
    return torch.stack(states, 1)

  def recur_lstm(self: __torch__.Kernels, x: Tensor, w: Tensor, b: Tensor) -> Tensor:
    # x [B, T, 4d] with the parts i, f, g, o: c_t = f c_(t-1) + i g, h_t = o tanh(c_t) -> [B, T, d].
    steps = torch.unbind(x, 1)
    c = torch.zeros_like(torch.chunk(steps[0], 4, 1)[0])
    h = c
    states = annotate(List[Tensor], [])
    n = 0
    while n < torch.len(steps):
      i, f, g, o = torch.chunk(torch.add(steps[n], self.linear(h, w, b)), 4, 1)
      c = torch.add(torch.mul(torch.sigmoid(f), c), torch.mul(torch.sigmoid(i), torch.tanh(g)))
      h = torch.mul(torch.sigmoid(o), torch.tanh(c))
      states = torch.append(states, h)
      n = n + 1
    return torch.stack(states, 1)

  def every(self: __torch__.Kernels, x: Tensor, first: Tensor, stride: Tensor) -> Tensor:
    # The rows first, first + stride, ... of x [B, n, d].
    return torch.slice(x, 1, int(first), None, int(stride))

  def rows(self: __torch__.Kernels, x: Tensor, places: Tensor) -> Tensor:
    # Some rows of x [B, T, d], by their places among all: [N, d].
    return torch.index_select(torch.flatten(x, 0, 1), 0, places)

  def concatenate(self: __torch__.Kernels, x: List[Tensor]) -> Tensor:
    return torch.cat(x, 1)

  def split(self: __torch__.Kernels, x: Tensor, size: Tensor) -> List[Tensor]:
    # Parts of size positions. The backward pass is one concatenation, unlike that of slices.
    return torch.split(x, int(size), 1)

  def split_after(self: __torch__.Kernels, x: Tensor, size: Tensor) -> List[Tensor]:
    # The first positions and the others.
    return torch.split_with_sizes(x, [int(size), x.size(1) - int(size)], 1)

  def norm_linear(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor) -> Tensor:
    return self.linear(self.norm(x, g, b), w, c)

  def sum(self: __torch__.Kernels, x: Tensor, y: Tensor) -> Tensor:
    # x plus a product, in the format of x. The sum replaces the product, which no gradient needs. In
    # bfloat16 the product is a view, whose replacement would cost the backward pass several copies.
    if ops.prim.dtype(x) == 15:
      return torch.add(x, y)
    return torch.add_(torch.to(y, 6), x)

  def dropped(self: __torch__.Kernels, x: Tensor, drop: Tensor) -> Tensor:
    return self.masked(x, drop, 0)

  def masked(self: __torch__.Kernels, x: Tensor, drop: Tensor, use: int) -> Tensor:
    # Zeroes numbers of x [B, ...]. drop [1 + B]: 2^31 times their share, and a seed for each row; a scalar for
    # none. `use` tells the masks of a call apart. The hash is MurmurHash3's; 31 of its bits are kept.
    if torch.numel(drop) == 1:
      return x
    rows = torch.unsqueeze(torch.slice(drop, 0, 1), 1)
    places = torch.arange(0, torch.numel(x) // x.size(0), device=x.device)
    z = torch.add(rows, torch.add(torch.mul(places, 6364136223846793005), use * 1442695040888963407))
    z = torch.mul(torch.__xor__(z, self.high_bits(z)), -49064778989728563)
    z = torch.mul(torch.__xor__(z, self.high_bits(z)), -4265267296055464877)
    share = torch.select(drop, 0, 0)
    scale = torch.reciprocal(torch.rsub(torch.div(share, 2147483648.), 1.))
    mask = torch.mul(torch.to(torch.ge(self.high_bits(z), share), 6), scale)
    return torch.mul(x, torch.type_as(torch.reshape(mask, torch.size(x)), x))

  def high_bits(self: __torch__.Kernels, z: Tensor) -> Tensor:
    # The 31 highest bits of 64, as a number from 0.
    return torch.__and__(torch.__rshift__(z, 33), 2147483647)

  def add_linear(self: __torch__.Kernels, x: Tensor, y: Tensor, drop: Tensor, w: Tensor, c: Tensor) -> Tensor:
    # x [B, n, d] plus the projection of the last n rows of y.
    more = y.size(1) - x.size(1)
    if more > 0:
      y = torch.slice(y, 1, more)
    return self.sum(x, self.masked(self.product(y, w, c), drop, 0))

  def before(self: __torch__.Kernels, x: Tensor, rows: Tensor, pad: Tensor, q: Tensor, k: Tensor, queries: Tensor, factor: Tensor, own: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor, f: Tensor, h: Tensor) -> Tensor:
    # A block before attention, for each position: x [B, n, d], after `rows` copies of pad [d] -> queries,
    # keys and values [B, rows + n, H D + 2 G D], and what f, h project to be carried. Norm g, b;
    # projection w, c; q, k: norms of heads; queries = H D; factor of queries; own: not empty if x is carried, too.
    x = self.enter(self.padded(x, rows, pad), g, b)
    y = self.heads(x, w, c, q, k, queries, factor)
    return self.carrying(y, x, own, f, h)

  def before_queries(self: __torch__.Kernels, x: Tensor, q: Tensor, k: Tensor, queries: Tensor, factor: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor) -> Tensor:
    # The queries of before [B, n, H D].
    n = int(queries)
    x = self.enter(x, g, b)
    return self.heads(x, torch.slice(w, 0, 0, n), torch.slice(c, 0, 0, n), q, k, queries, factor)

  def before_keys(self: __torch__.Kernels, x: Tensor, rows: Tensor, pad: Tensor, q: Tensor, k: Tensor, queries: Tensor, factor: Tensor, own: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor, f: Tensor, h: Tensor) -> Tensor:
    # The keys and values of before, and what is carried [B, rows + n, 2 G D + E].
    n = int(queries)
    x = self.enter(self.padded(x, rows, pad), g, b)
    y = self.heads(x, torch.slice(w, 0, n), torch.slice(c, 0, n), q, k, torch.tensor(0), factor)
    return self.carrying(y, x, own, f, h)

  def padded(self: __torch__.Kernels, x: Tensor, rows: Tensor, pad: Tensor) -> Tensor:
    if torch.numel(pad) == 0:
      return x
    before = torch.expand(torch.type_as(pad, x), [x.size(0), int(rows), x.size(2)])
    return torch.cat([before, x], 1)

  def heads(self: __torch__.Kernels, x: Tensor, w: Tensor, c: Tensor, q: Tensor, k: Tensor, queries: Tensor, factor: Tensor) -> Tensor:
    return self.shape(self.readable(self.product(x, w, c)), q, k, queries, factor)

  def readable(self: __torch__.Kernels, x: Tensor) -> Tensor:
    # Java reads rows of a pass without gradients, and it cannot read bfloat16. In training, only the
    # next kernel reads them.
    if torch.is_grad_enabled():
      return x
    return torch.to(x, 6)

  def carrying(self: __torch__.Kernels, y: Tensor, x: Tensor, own: Tensor, f: Tensor, h: Tensor) -> Tensor:
    if torch.numel(f) == 0:
      return y
    parts = [y, self.readable(self.product(x, f, h))]
    if torch.numel(own) > 0:
      parts = torch.append(parts, torch.type_as(self.readable(x), y))
    return torch.cat(parts, 2)

  def norm_heads(self: __torch__.Kernels, x: Tensor, g: Tensor) -> Tensor:
    # RMSNorm of each head of x [B, n, h D] with the weight g [D]
    y = torch.reshape(torch.to(x, 6), [x.size(0), x.size(1), -1, g.size(0)])
    return torch.type_as(torch.reshape(self.rms(y, g), torch.size(x)), x)

  def add_mlp(self: __torch__.Kernels, x: Tensor, h: Tensor, drop: Tensor, w: Tensor, c: Tensor, u: Tensor, e: Tensor) -> Tensor:
    # x plus the MLP of h, both [B, n, d]
    h = self.activation(self.product(h, w, c))
    return self.sum(x, self.masked(self.product(h, u, e), drop, 1))

  def label_nll(self: __torch__.Kernels, logits: Tensor, targets: Tensor) -> Tensor:
    # logits [N, labels], targets [N] -> [N]
    return torch.cross_entropy_loss(torch.to(logits, 6), targets, None, 0, -100, 0.)

  def logits(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, wte: Tensor) -> Tensor:
    # x [N, d] -> [N, V]
    h = self.final(x, g, b)
    if self.in_parts(wte):
      return self.logits_in_parts(h, wte)
    return self.linear(h, wte, None)

  def in_parts(self: __torch__.Kernels, w: Tensor) -> bool:
    # Whether some rows of the output matrix w [V, d] are widened at a time. On a CPU, a matrix in float32
    # is multiplied in the same parts, so results are equal bit for bit.
    return not self.bf16 and w.size(0) > 4096 and not (self.gpu and ops.prim.dtype(w) == 6)

  def logits_in_parts(self: __torch__.Kernels, h: Tensor, w: Tensor) -> Tensor:
    # h [N, d], w [V, d] in any format -> [N, V]
    outs = annotate(List[Tensor], [])
    first = 0
    while first < w.size(0):
      outs = torch.append(outs, torch.linear(h, self.wide(torch.slice(w, 0, first, first + 4096)), None))
      first = first + 4096
    return torch.cat(outs, 1)

  def output_rows(self: __torch__.Kernels, wte: Tensor, N: int) -> Tensor:
    # wte [V, d] in the format of the products, with rows of zeros up to a multiple of rows, [V', d].
    # A row of logits then begins at an aligned address, which fast products require. The copy does
    # not pay for a few rows of hidden states.
    multiple = 16
    if self.gpu:
      multiple = 64
    w = wte
    if self.bf16:
      w = torch.to(w, 15)
    else:
      w = self.wide(w)
    padding = (multiple - wte.size(0) % multiple) % multiple
    if padding > 0 and N >= multiple:
      w = torch.constant_pad_nd(w, [0, 0, 0, padding], 0)
    return w

  def output(self: __torch__.Kernels, h: Tensor, w: Tensor, V: int) -> Tensor:
    # h [n, d] -> logits [n, V']. The logits beyond V have no weight in a softmax.
    logits = torch.linear(h, w, None)
    if w.size(0) > V:
      unused = torch.fill_(torch.slice(logits, 1, V), -1e30)
    return logits

  def nll(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, wte: Tensor, targets: Tensor, rows: Tensor) -> Tensor:
    # x [N, d], targets [N] -> [N]. At most `rows` rows of logits exist at a time.
    N = x.size(0)
    w = wte
    h = self.final(x, g, b)
    parts = self.in_parts(wte)
    if not parts:
      w = self.output_rows(wte, N)
      h = torch.type_as(h, w)
    outs = annotate(List[Tensor], [])
    first = 0
    while first < N:
      end = min(first + int(rows), N)
      part = torch.slice(h, 0, first, end)
      if parts:
        logits = self.logits_in_parts(part, w)
      else:
        logits = torch.to(self.output(part, w, wte.size(0)), 6)
      outs = torch.append(outs, torch.cross_entropy_loss(logits, torch.slice(targets, 0, first, end), None, 0, -100, 0.))
      first = end
    return torch.cat(outs, 0)

  def mean_nll(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, wte: Tensor, targets: Tensor, rows: Tensor) -> Tensor:
    # The mean of nll. The gradients are computed during the forward pass, `rows` rows at a time,
    # since autograd would keep all N x V logits. Autograd gets a term that is always 0 but whose
    # gradients are the ones computed here.
    h = self.final(x, g, b)
    mean, dh, dwte = self.head(torch.detach(h), torch.detach(wte), targets, int(rows))
    term = torch.dot(torch.reshape(h, [-1]), torch.reshape(dh, [-1]))
    term = torch.add(term, torch.dot(torch.reshape(wte, [-1]), torch.reshape(dwte, [-1])))
    return torch.add(mean, torch.sub(term, torch.detach(term)))

  def head(self: __torch__.Kernels, h: Tensor, wte: Tensor, targets: Tensor, rows: int) -> Tuple[Tensor, Tensor, Tensor]:
    # h [N, d], wte [V, d] -> the mean nll, and its gradients with respect to h, in its format, and wte.
    # Probabilities below 1e-38 count as 1e-38, so a target costs at most 87.5 nats.
    N = h.size(0)
    V = wte.size(0)
    w = self.output_rows(wte, N)
    dh = torch.empty_like(h)
    h = torch.type_as(h, w)
    total = torch.new_zeros(wte, [])
    dw = torch.new_zeros(wte, torch.size(w))
    first = 0
    while first < N:
      end = min(first + rows, N)
      part = torch.slice(h, 0, first, end)
      chosen = torch.slice(targets, 0, first, end)
      # A row of a softmax needs no other memory than its own, so it replaces the logits. The engine
      # computes it in float32, whatever the format of the logits.
      logits = self.output(part, w, V)
      p = torch.softmax(logits, 1, None, out=logits)
      if self.bf16:
        total = torch.add_(total, self.narrow_loss(p, chosen))
        dw = torch.add_(dw, torch.matmul(torch.t(p), part))
      else:
        total = torch.sub_(total, self.wide_likelihood(p, torch.unsqueeze(chosen, 1)))
        dw = torch.addmm_(dw, torch.t(p), part)
      written = torch.copy_(torch.slice(dh, 0, first, end), torch.matmul(p, w))
      first = end
    return (torch.div(total, N), torch.div_(dh, N), torch.div_(torch.slice(dw, 0, 0, V), N))

  def wide_likelihood(self: __torch__.Kernels, p: Tensor, chosen: Tensor) -> Tensor:
    # Probabilities p [n, V'] in float32, targets [n, 1] -> the sum of the logarithms of the targets'
    # probabilities. The gradients of the nll with respect to the logits replace p.
    likelihood = torch.clamp_min(torch.gather(p, 1, chosen), 9.9999999999999996e-39)
    p = torch.scatter_add_(p, 1, chosen, torch.new_full(p, [p.size(0), 1], -1.))
    return torch.sum(torch.log(likelihood))

  def narrow_loss(self: __torch__.Kernels, p: Tensor, chosen: Tensor) -> Tensor:
    # Probabilities in bfloat16, targets [n] -> the sum of the nll. The gradients replace p. Rounded to 8
    # bits, a likelihood near 1 has lost its difference from 1. The sum of the other probabilities has 8
    # bits of it. On a CPU, gather and scatter would copy all numbers to float32.
    places = torch.add(torch.arange(0, torch.numel(p), p.size(1), device=p.device), chosen)
    all = torch.view(p, [-1])
    likelihood = torch.clamp_min(torch.index_select(all, 0, places), 9.9999999999999996e-39)
    all = torch.index_fill_(all, 0, places, 0)
    others = torch.sum(p, [1])
    all = torch.index_add_(all, 0, places, others, alpha=-1)
    return torch.sum(torch.log1p(torch.to(torch.div(others, likelihood), 6)))

  def states(self: __torch__.Kernels, qkv: Tensor, s: Tensor, ids: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor, u: Tensor, e: Tensor, gate: Tensor, chunk: Tensor, heads: Tensor, carries: Tensor) -> List[Tensor]:
    # Block recurrence, chunk after chunk. qkv [B, T, 3d] of the tokens; s [S, d] or [B, S, d] before the
    # first chunk; LayerNorm g, b; projections w, c to q_self, k, v, q_tok, and u, e from both results
    # -> keys and values of the states before each of M chunks [B, M, S, 2d], and the states after the
    # last complete chunk if they are carried on, otherwise those before the last chunk.
    B = qkv.size(0)
    T = qkv.size(1)
    d = qkv.size(2) // 3
    H = int(heads)
    C = int(chunk)
    tokens = torch.split(torch.to(torch.slice(qkv, 2, d), 6), C, 1)
    updates = torch.len(tokens) - 1
    if bool(carries):
      updates = T // C
    keep = torch.sigmoid(gate)
    s = torch.expand(s, [B, ids.size(0), d])
    outs = annotate(List[Tensor], [])
    i = 0
    while i < torch.len(tokens):
      p = self.linear(torch.add(self.norm(s, g, b), ids), w, c)
      outs = torch.append(outs, torch.slice(p, 2, d, 3 * d))
      if i < updates:
        own = self.unmasked(torch.slice(p, 2, 0, d), torch.slice(p, 2, d, 3 * d), H)
        seen = self.unmasked(torch.slice(p, 2, 3 * d), tokens[i], H)
        z = self.linear(torch.cat([own, seen], 2), u, e)
        s = torch.add(z, torch.mul(keep, torch.sub(s, z)))
      i = i + 1
    return [torch.stack(outs, 1), s]

  def read_states(self: __torch__.Kernels, q: Tensor, kv: Tensor, chunk: Tensor, heads: Tensor) -> Tensor:
    # Queries q [B, T, d] of M chunks over the states kv [B, M, S, 2d] before their chunk -> [B, T, d].
    B = q.size(0)
    T = q.size(1)
    M = kv.size(1)
    C = min(int(chunk), T)
    queries = torch.reshape(torch.constant_pad_nd(q, [0, 0, 0, M * C - T], 0), [B * M, C, -1])
    out = self.unmasked(queries, torch.reshape(kv, [B * M, kv.size(2), -1]), int(heads))
    return torch.slice(torch.reshape(out, [B, M * C, -1]), 1, 0, T)

  def unmasked(self: __torch__.Kernels, q: Tensor, kv: Tensor, heads: int) -> Tensor:
    # Every query q [B, n, d] over all keys and values kv [B, m, 2d], side by side -> [B, n, d].
    B = q.size(0)
    D = q.size(2) // heads
    if self.bf16:
      q = torch.to(q, 15)
      kv = torch.to(kv, 15)
    query = torch.transpose(torch.reshape(q, [B, q.size(1), heads, D]), 1, 2)
    k, v = torch.unbind(torch.permute(torch.reshape(kv, [B, kv.size(1), 2, heads, D]), [2, 0, 3, 1, 4]))
    out = torch.scaled_dot_product_attention(query, k, v, None, 0., False, scale=None, enable_gqa=False)
    return torch.to(torch.reshape(torch.transpose(out, 1, 2), [B, q.size(1), heads * D]), 6)
