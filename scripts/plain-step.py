"""Times a training step of GPT-2 124M in plain PyTorch, eager and compiled, as a measure for bench.

    python3 scripts/plain-step.py [--device cuda:0] [--seconds 60] [--small] [--output FILE] [--check | --warm]

The model has learned positions, LayerNorm with bias, tanh-GELU and a tied head, as nanoGPT's. A step reads 32
sequences in micro-batches, under autocast to bfloat16 with float32 weights, clips the gradients and updates
with fused AdamW. Writes a Markdown table; a form that fails has the reason in its row. A form that needs more
seconds says so, and the exit code is 75: with the same --output the next call goes on with it. Eager steps have 40 %
of the seconds, compiled ones the rest. --warm only compiles, for the cache of TORCHINDUCTOR_CACHE_DIR.
"""

import argparse
import os
import signal
import statistics
import sys
import time

BEGIN = time.time()  # loading torch counts
import torch  # noqa: E402
from torch import nn  # noqa: E402
from torch.nn import functional  # noqa: E402


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.ln_1 = nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.ln_2 = nn.LayerNorm(width)
        self.up = nn.Linear(width, 4 * width)
        self.down = nn.Linear(4 * width, width)

    def forward(self, x_BTd):
        batch, length, width = x_BTd.shape
        split = (batch, length, self.heads, width // self.heads)
        q, k, v = (part.view(split).transpose(1, 2) for part in self.qkv(self.ln_1(x_BTd)).chunk(3, dim=2))
        attended = functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x_BTd = x_BTd + self.out(attended.transpose(1, 2).reshape(batch, length, width))
        hidden = functional.gelu(self.up(self.ln_2(x_BTd)), approximate="tanh")
        return x_BTd + self.down(hidden)


class Model(nn.Module):
    def __init__(self, layers, width, heads, vocabulary, length):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.positions = nn.Embedding(length, width)
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.ln_f = nn.LayerNorm(width)
        for parameter in self.parameters():
            if parameter.dim() > 1:
                nn.init.normal_(parameter, std=0.02)

    def forward(self, tokens_BT, targets_BT):
        places = torch.arange(tokens_BT.shape[1], device=tokens_BT.device)
        x_BTd = self.tokens(tokens_BT) + self.positions(places)
        for block in self.blocks:
            x_BTd = block(x_BTd)
        logits = functional.linear(self.ln_f(x_BTd), self.tokens.weight)
        return functional.cross_entropy(logits.flatten(0, 1), targets_BT.flatten())


LATE = "the seconds are over"


def median_milliseconds(sizes, length, device, compiled, micro, steps=10):
    """The median of the steps after two warm-up steps, and the most memory of all tensors on the device in MB."""
    torch.manual_seed(1)
    model = Model(*sizes, length).to(device)
    form = torch.compile(model, dynamic=False) if compiled else model
    on_gpu = device.startswith("cuda")
    if on_gpu:
        torch.cuda.reset_peak_memory_stats(device)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=6e-4, betas=(0.9, 0.95), weight_decay=0.1, fused=on_gpu
    )
    batch = torch.randint(sizes[3], (32, length + 1), device=device)
    times = []
    for step in range(2 + steps):
        start = time.perf_counter()
        for part in batch.split(micro):
            with torch.autocast(device.split(":")[0], torch.bfloat16):
                loss = form(part[:, :-1], part[:, 1:])
            (loss * len(part) / len(batch)).backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        loss.item()  # waits for the device
        if step > 1:
            times.append(1000 * (time.perf_counter() - start))
    peak = f"{torch.cuda.max_memory_allocated(device) >> 20:,}" if on_gpu else ""
    return statistics.median(times or [0]), peak


def fitting(sizes, length, device, compiled, steps=10):
    """The same with the whole batch at a time, or as much of it as the memory of the device holds."""
    micro = 32
    while True:
        try:
            return median_milliseconds(sizes, length, device, compiled, micro, steps)
        except torch.cuda.OutOfMemoryError:
            if micro == 1:
                raise
            micro //= 2


def check(device):
    """Ends the program if this PyTorch cannot run the step."""
    if not hasattr(torch, "compile"):
        sys.exit(f"PyTorch {torch.__version__} has no torch.compile, expected 2.0 or later")
    if device.startswith("cuda") and not torch.cuda.is_available():
        sys.exit(f"PyTorch {torch.__version__} finds no CUDA device")


def out_of_time(signum, frame):
    raise TimeoutError


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--device", default="cuda:0")
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--small", action="store_true", help="a tiny model, to try the program")
    options.add_argument("--output", help="default: standard output")
    options.add_argument("--check", action="store_true", help="only looks for the device")
    options.add_argument("--warm", action="store_true", help="only compiles")
    chosen = options.parse_args()
    check(chosen.device)
    if chosen.check:
        return
    torch.set_float32_matmul_precision("high")
    sizes = (2, 32, 2, 257) if chosen.small else (12, 768, 12, 50257)
    lengths = (64,) if chosen.small else (512, 1024)
    if chosen.warm:
        for length in lengths:
            fitting(sizes, length, chosen.device, True, steps=0)
        return

    heading = f"The same step in plain PyTorch {torch.__version__}:\n\n"
    heading += table_row("form", "T", "ms", "tokens/s", "peak MB of tensors") + table_row(":---", *["---:"] * 4)
    rows = earlier_rows(chosen.output, heading)

    def page():
        return heading + "".join(rows.get((form, str(length)), "") for form in ("eager", "compiled") for length in lengths)

    signal.signal(signal.SIGALRM, out_of_time)
    is_cut = False
    for form, share in (("eager", 0.4), ("compiled", 1)):
        until = BEGIN + share * chosen.seconds
        for length in lengths:
            if (form, str(length)) in rows:
                continue
            # Each second again, because the compiler catches errors.
            signal.setitimer(signal.ITIMER_REAL, max(until - time.time(), 0.1), 1)
            try:
                found, peak = fitting(sizes, length, chosen.device, form == "compiled")
                signal.setitimer(signal.ITIMER_REAL, 0)
                cells = f"{found:.2f}", f"{32 * length * 1000 / found:,.0f}", peak
            except Exception as e:  # torch.compile needs a C compiler
                signal.setitimer(signal.ITIMER_REAL, 0)
                reason = f"{type(e).__name__}: {e}".splitlines()[0].replace("|", "/")[:100]
                # The compiler wraps the error of the alarm, which may also have cut an import.
                is_cut = is_cut or time.time() >= until
                cells = LATE if is_cut else reason, "", ""
            rows[form, str(length)] = table_row(form, length, *cells)
            if chosen.output:
                keep(chosen.output, page())
    if not chosen.output:
        print(page(), end="")
    if any(LATE in row for row in rows.values()):
        sys.exit(75)


def table_row(*cells):
    return "| " + " | ".join(map(str, cells)) + " |\n"


def earlier_rows(file, heading):
    """The finished rows of an earlier call of this PyTorch, by form and T."""
    if not file or not os.path.exists(file):
        return {}
    with open(file) as text:
        found = text.read()
    rows = found[len(heading) :].splitlines(keepends=True) if found.startswith(heading) else []
    return {tuple(row[2:].split(" | ")[:2]): row for row in rows if LATE not in row}


def keep(file, text):
    """The file is whole at any moment."""
    with open(file + ".new", "w") as out:
        out.write(text)
    os.replace(file + ".new", file)


if __name__ == "__main__":
    main()
