# Kernels that average gradients over replicas. All lists hold the same tensors in the same order.

  def flatten(self: __torch__.Kernels, tensors: List[Tensor]) -> Tensor:
    parts = annotate(List[Tensor], [])
    for i in range(torch.len(tensors)):
      parts = torch.append(parts, torch.reshape(tensors[i], [-1]))
    return torch.cat(parts, 0)

  def add(self: __torch__.Kernels, sum: Tensor, other: Tensor) -> int:
    torch.add_(sum, other)
    return 0

  def divide(self: __torch__.Kernels, sum: Tensor, count: float) -> int:
    torch.div_(sum, count)
    return 0

  def unflatten(self: __torch__.Kernels, flat: Tensor, tensors: List[Tensor]) -> Tensor:
    # Returns the last number. A caller that reads it waits for all copies.
    first = 0
    for i in range(torch.len(tensors)):
      end = torch.add(first, torch.numel(tensors[i]))
      part = torch.slice(flat, 0, first, end)
      torch.copy_(tensors[i], torch.reshape(part, torch.size(tensors[i])))
      first = end
    return torch.select(flat, 0, -1)
