# Decoder kernels. B batch, T length, d width, V vocabulary, N = B T rows. Everything that enters or
# leaves is float32; with half, products run in bfloat16.

  def linear(self: __torch__.Kernels, x: Tensor, w: Tensor, b: Optional[Tensor], half: Tensor) -> Tensor:
    if bool(half):
      c = annotate(Optional[Tensor], None)
      if b is not None:
        c = torch.to(b, 15)
      y = torch.to(torch.linear(torch.to(x, 15), torch.to(w, 15), c), 6)
    else:
      y = torch.linear(x, w, b)
    return y

  def norm(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor) -> Tensor:
    return torch.layer_norm(x, [x.size(-1)], g, b, 1.0000000000000001e-05, False)

  def embed(self: __torch__.Kernels, tokens: Tensor, wte: Tensor) -> Tensor:
    return torch.embedding(wte, tokens)

  def embed_at(self: __torch__.Kernels, tokens: Tensor, wte: Tensor, positions: Tensor, scale: Tensor) -> Tensor:
    x = torch.mul(torch.embedding(wte, tokens), float(scale))
    return torch.add(x, torch.slice(positions, 0, 0, tokens.size(1)))

  def norm_linear(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor, half: Tensor) -> Tensor:
    return self.linear(self.norm(x, g, b), w, c, half)

  def norm_linear_part(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor, first: Tensor, end: Tensor, half: Tensor) -> Tensor:
    # norm_linear with the output features from first up to end only.
    weight = torch.slice(w, 0, int(first), int(end))
    return self.linear(self.norm(x, g, b), weight, torch.slice(c, 0, int(first), int(end)), half)

  def add_linear(self: __torch__.Kernels, x: Tensor, y: Tensor, w: Tensor, c: Tensor, half: Tensor) -> Tensor:
    return torch.add(x, self.linear(y, w, c, half))

  def add_mlp(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, w: Tensor, c: Tensor, u: Tensor, e: Tensor, half: Tensor) -> Tensor:
    h = self.norm(x, g, b)
    if bool(half):
      h = torch.linear(torch.to(h, 15), torch.to(w, 15), torch.to(c, 15))
      h = torch.linear(torch.gelu(h, approximate="tanh"), torch.to(u, 15), torch.to(e, 15))
      h = torch.to(h, 6)
    else:
      h = torch.linear(torch.gelu(torch.linear(h, w, c), approximate="tanh"), u, e)
    return torch.add(x, h)

  def logits(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, wte: Tensor, half: Tensor) -> Tensor:
    # x [N, d] -> [N, V]
    return self.linear(self.norm(x, g, b), wte, None, half)

  def nll(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, wte: Tensor, targets: Tensor, rows: Tensor, half: Tensor) -> Tensor:
    # x [N, d], targets [N] -> [N]; the logits of so many rows at a time.
    h = self.norm(x, g, b)
    if bool(half):
      h = torch.to(h, 15)
      wte = torch.to(wte, 15)
    outs = annotate(List[Tensor], [])
    first = 0
    while first < x.size(0):
      end = min(first + int(rows), x.size(0))
      logits = torch.to(torch.linear(torch.slice(h, 0, first, end), wte, None), 6)
      outs = torch.append(outs, torch.cross_entropy_loss(logits, torch.slice(targets, 0, first, end), None, 0, -100, 0.))
      first = end
    return torch.cat(outs, 0)

  def mean_nll(self: __torch__.Kernels, x: Tensor, g: Tensor, b: Tensor, wte: Tensor, targets: Tensor, rows: Tensor, half: Tensor) -> Tensor:
    # The mean of nll. Gradients of the logits are taken on the way forward, so many rows at a time,
    # for autograd would keep all N x V of them. What it gets to see instead is a term of value zero
    # whose gradients those are.
    h = self.norm(x, g, b)
    mean, dh, dwte = self.head(torch.detach(h), torch.detach(wte), targets, int(rows), half)
    term = torch.dot(torch.reshape(h, [-1]), torch.reshape(dh, [-1]))
    term = torch.add(term, torch.dot(torch.reshape(wte, [-1]), torch.reshape(dwte, [-1])))
    return torch.add(mean, torch.sub(term, torch.detach(term)))

  def head(self: __torch__.Kernels, h: Tensor, wte: Tensor, targets: Tensor, rows: int, half: Tensor) -> Tuple[Tensor, Tensor, Tensor]:
    # h [N, d], wte [V, d] -> the mean nll, and its gradients by h and by wte.
    N = h.size(0)
    if bool(half):
      h = torch.to(h, 15)
      w = torch.to(wte, 15)
    else:
      w = wte
    total = torch.new_zeros(wte, [])
    dwte = torch.zeros_like(wte)
    outs = annotate(List[Tensor], [])
    first = 0
    while first < N:
      end = min(first + rows, N)
      part = torch.slice(h, 0, first, end)
      chosen = torch.unsqueeze(torch.slice(targets, 0, first, end), 1)
      p = torch.to(torch.linear(part, w, None), 6)
      norms = torch.logsumexp(p, [1], True)
      total = torch.add(total, torch.sum(torch.sub(norms, torch.gather(p, 1, chosen))))
      p = torch.exp_(torch.sub_(p, norms))
      p = torch.scatter_add_(p, 1, chosen, torch.new_full(p, [end - first, 1], -1.))
      dlogits = torch.type_as(torch.div_(p, N), h)
      outs = torch.append(outs, torch.to(torch.matmul(dlogits, w), 6))
      if bool(half):
        dwte = torch.add_(dwte, torch.to(torch.matmul(torch.t(dlogits), part), 6))
      else:
        dwte = torch.addmm_(dwte, torch.t(dlogits), part)
      first = end
    return (torch.div(total, N), torch.cat(outs, 0), dwte)
