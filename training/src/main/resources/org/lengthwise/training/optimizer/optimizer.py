# Optimizer kernels. All lists hold the same tensors in the same order. Updates are in place.

  def clip(self: __torch__.Kernels, gradients: List[Tensor], limit: float) -> Tensor:
    # Scales all gradients so that their global norm is at most limit. Returns the norm before scaling.
    norm = torch.linalg_vector_norm(torch.stack(torch._foreach_norm(gradients, 2)), 2)
    factor = torch.clamp(torch.mul(torch.reciprocal(torch.add(norm, 9.9999999999999995e-07)), limit), None, 1.)
    torch._foreach_mul_(gradients, factor)
    return norm

  def adamw(self: __torch__.Kernels, weights: List[Tensor], gradients: List[Tensor], first: List[Tensor], second: List[Tensor], step: Tensor, rate: float, beta1: float, beta2: float, decay: float, epsilon: float) -> int:
    # step is the number of this update, from 1.
    steps = annotate(List[Tensor], [])
    maxima = annotate(List[Tensor], [])
    for i in range(torch.len(weights)):
      steps = torch.append(steps, step)
    torch._fused_adamw_(weights, gradients, first, second, maxima, steps, lr=rate, beta1=beta1, beta2=beta2, weight_decay=decay, eps=epsilon, amsgrad=False, maximize=False, grad_scale=None, found_inf=None)
    return 0

  def count(self: __torch__.Kernels, step: Tensor) -> int:
    torch.add_(step, 1)
    return 0

  def zero(self: __torch__.Kernels, gradients: List[Tensor]) -> int:
    torch._foreach_zero_(gradients)
    return 0

  def bound(self: __torch__.Kernels, weight: Tensor, low: float, high: float) -> int:
    torch.clamp_(weight, low, high)
    return 0
