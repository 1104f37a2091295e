"""Nine public decoder families in numpy and float64: the oracle for Lengthwise's importer and exporter.

Written from the specification of the families alone. It shares no code with Lengthwise.

    python3 families.py score FOLDER --tokens FILE.json [--position-scaling linear|dynamic|ntk|yarn --factor F]
    python3 families.py vectors
    python3 families.py write NAME FOLDER [--dtype F32|F16|BF16] [--shards N]

Letters: T tokens read, V vocabulary, d width, L layers, H query heads, G key and value heads, D width of a head,
R rotated numbers of a head, F inner width of the MLP. A suffix names the axes: q_THD is [T, H, D].
"""
import argparse
import json
import math
import re
import struct
import sys
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

class FolderError(Exception):
    """This program cannot score the folder; the text says why."""

# ------------------------------------------------------------------------------------------------ blocks

def layer_norm(x, weight, bias, eps):
    centred = x - x.mean(-1, keepdims=True)
    y = centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + eps) * weight
    return y if bias is None else y + bias

def rms_norm(x, weight, eps):
    return x / np.sqrt((x ** 2).mean(-1, keepdims=True) + eps) * weight

def gelu(x):
    return x / 2 * (1 + np.vectorize(math.erf, otypes=[float])(x / math.sqrt(2)))

def gelu_new(x):
    return x / 2 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))

def silu(x):
    return x / 2 * (1 + np.tanh(x / 2))  # equals x / (1 + exp(-x)), without overflow

def relu(x):
    return np.maximum(x, 0)

def log_softmax(x):
    shifted = x - x.max(-1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(-1, keepdims=True))

ACTIVATIONS = dict(silu=silu, gelu=gelu, gelu_new=gelu_new, relu=relu)

# ------------------------------------------------------------------------------------------------ positions

def alibi_slopes_bloom(H):
    n = 2 ** math.floor(math.log2(H))
    slopes = [2 ** (-8 * i / n) for i in range(1, n + 1)]
    return np.array(slopes + [2 ** (-8 * (2 * i - 1) / (2 * n)) for i in range(1, H - n + 1)])

def alibi_slopes_mpt(H, b):
    n = 2 ** math.ceil(math.log2(H))
    slopes = [2 ** (-b * i / n) for i in range(1, n + 1)]
    return np.array(slopes if n == H else (slopes[1::2] + slopes[0::2])[:H])

@dataclass(frozen=True)
class Rope:
    R: int
    base: float
    limit: int      # max_position_embeddings
    original: int   # o, also T_tr: the length of training before the scaling
    type: str
    settings: dict  # rope_scaling or rope_parameters: factor and what else the type needs

def frequencies(base, R):
    return base ** (-2 * np.arange(R // 2) / R)

def ntk_frequencies(base, stretch, R):
    # With R = 2 the only frequency is base^0, so the base has no effect.
    return frequencies(base if R == 2 else base * stretch ** (R / (R - 2)), R)

def yarn_frequencies(r):
    def dim(rotations):
        return r.R * math.log(r.original / (2 * math.pi * rotations)) / (2 * math.log(r.base))

    lo, hi = dim(get(r.settings, "beta_fast", default=32)), dim(get(r.settings, "beta_slow", default=1))
    if r.settings.get("truncate", True):
        lo, hi = math.floor(lo), math.ceil(hi)
    lo, hi = np.clip([lo, hi], 0, r.R - 1)
    ramp = np.clip((np.arange(r.R // 2) - lo) / (hi - lo or 0.001), 0, 1)
    f = frequencies(r.base, r.R)
    return f / r.settings["factor"] * ramp + f * (1 - ramp)

def yarn_attention_factor(s):
    def g(scale):
        return 0.1 * scale * math.log(s["factor"]) + 1

    both = get(s, "mscale") and get(s, "mscale_all_dim")
    return get(s, "attention_factor", default=g(s["mscale"]) / g(s["mscale_all_dim"]) if both else g(1))

def llama3_frequencies(r):
    f, factor = frequencies(r.base, r.R), r.settings["factor"]
    low, high = r.settings["low_freq_factor"], r.settings["high_freq_factor"]
    wave = 2 * math.pi / f
    s = (r.original / wave - low) / (high - low)
    between = (1 - s) * f / factor + s * f
    return np.where(wave > r.original / low, f / factor, np.where(wave < r.original / high, f, between))

def longrope_frequencies(r, T):
    return frequencies(r.base, r.R) / np.array(r.settings["long_factor" if T > r.original else "short_factor"])

def longrope_attention_factor(r):
    stretch = max(r.limit / r.original, 1)
    return get(r.settings, "attention_factor", default=math.sqrt(1 + math.log(stretch) / math.log(r.original)))

def rope(r, T):
    """Frequencies [R/2] and the factor a of cos and sin, for a pass that reads T tokens."""
    f, factor = frequencies(r.base, r.R), r.settings.get("factor")
    types = dict(
        default=lambda: (f, 1),
        linear=lambda: (f / factor, 1),
        dynamic=lambda: (ntk_frequencies(r.base, factor * max(T, r.limit) / r.limit - (factor - 1), r.R), 1),
        ntk=lambda: (ntk_frequencies(r.base, factor, r.R), 1),  # only as --position-scaling
        yarn=lambda: (yarn_frequencies(r), yarn_attention_factor(r.settings)),
        llama3=lambda: (llama3_frequencies(r), 1),
        longrope=lambda: (longrope_frequencies(r, T), longrope_attention_factor(r)))
    return types[r.type]()

def rotate_half(x_THD, cos_T1r, sin_T1r):
    """Rotates the pairs (i, i + R/2) of the first R numbers of each head; r = R/2."""
    half = cos_T1r.shape[-1]
    a, b, rest = np.split(x_THD, [half, 2 * half], axis=-1)
    return np.concatenate([a * cos_T1r - b * sin_T1r, b * cos_T1r + a * sin_T1r, rest], axis=-1)

# ------------------------------------------------------------------------------------------------ names of tensors

def names(stack, layers, output, top, inner):
    """Role -> name: `top` hangs below the stack, `inner` below each of its layers."""
    result = {"output": output}
    for prefix, text in [(f"{stack}.", top), (f"{stack}.{layers}.{{l}}.", inner)]:
        result |= {role: prefix + name for role, name in (pair.split("=") for pair in text.split())}
    return result

LLAMA = names("model", "layers", "lm_head", "embed=embed_tokens final_norm=norm", """norm1=input_layernorm
    q=self_attn.q_proj k=self_attn.k_proj v=self_attn.v_proj o=self_attn.o_proj
    norm2=post_attention_layernorm gate=mlp.gate_proj up=mlp.up_proj down=mlp.down_proj""")
QWEN3 = LLAMA | names("model", "layers", "lm_head", "", "q_norm=self_attn.q_norm k_norm=self_attn.k_norm")
NAMES = dict(
    gpt2=names("transformer", "h", "lm_head", "embed=wte position=wpe final_norm=ln_f", """norm1=ln_1
        qkv=attn.c_attn o=attn.c_proj norm2=ln_2 up=mlp.c_fc down=mlp.c_proj"""),
    gpt_neox=names("gpt_neox", "layers", "embed_out", "embed=embed_in final_norm=final_layer_norm", """
        norm1=input_layernorm qkv=attention.query_key_value o=attention.dense
        norm2=post_attention_layernorm up=mlp.dense_h_to_4h down=mlp.dense_4h_to_h"""),
    llama=LLAMA, mistral=LLAMA, qwen2=LLAMA, qwen3=QWEN3,
    opt=names("model.decoder", "layers", "lm_head", """embed=embed_tokens position=embed_positions
        project_in=project_in project_out=project_out final_norm=final_layer_norm""", """
        norm1=self_attn_layer_norm q=self_attn.q_proj k=self_attn.k_proj v=self_attn.v_proj o=self_attn.out_proj
        norm2=final_layer_norm up=fc1 down=fc2"""),
    bloom=names("transformer", "h", "lm_head", """embed=word_embeddings embed_norm=word_embeddings_layernorm
        final_norm=ln_f""", """norm1=input_layernorm qkv=self_attention.query_key_value o=self_attention.dense
        norm2=post_attention_layernorm up=mlp.dense_h_to_4h down=mlp.dense_4h_to_h"""),
    mpt=names("transformer", "blocks", "lm_head", "embed=wte final_norm=norm_f", """norm1=norm_1
        qkv=attn.Wqkv o=attn.out_proj norm2=norm_2 up=ffn.up_proj down=ffn.down_proj"""))
ACCEPTED_BUFFERS = re.compile(r".*\.(rotary_emb\.inv_freq|(attention|attn)\.(bias|masked_bias))")

# ------------------------------------------------------------------------------------------------ configuration

@dataclass(frozen=True)
class Model:
    """What config.json says about the forward pass, in one form for all families."""
    family: str
    V: int
    d: int
    L: int
    H: int
    G: int
    D: int
    e: int                          # width of the embedding; projected to d where it differs
    windows: tuple                  # one a layer, None: no window
    F: int
    activation: str
    eps: float
    rms: bool = False               # RMSNorm, else LayerNorm
    biased: tuple = ("norm", "qkv", "q", "k", "v", "o", "up", "down")
    gated: bool = False
    order: str = "pre"              # or post, parallel, norm_residual (bloom: adds to the norm's output)
    tied: bool = True
    rows: int = 0                   # of the table of learned positions
    first_row: int = 0              # the row that position 0 reads
    rope: Rope = None
    window_rope: Rope = None        # of the layers with windows, where it differs
    slopes: np.ndarray = None       # ALiBi [H]
    fused: str = None               # order of the rows of qkv: H3D or 3HD
    clip: float = None
    scale: float = None             # of q k; None: 1 / sqrt(D)

class Config(dict):
    def __missing__(self, key):
        raise FolderError(f"config.json: expected the key {key}, found none")

def get(c, *keys, default=None):
    """The first of the keys that is there and not null."""
    return next((c[key] for key in keys if c.get(key) is not None), default)

def expect(c, **values):
    """Refuses keys that change the forward pass to something that is not implemented here."""
    for key, value in values.items():
        if c.get(key, value) != value:
            raise FolderError(f"config.json: expected {key} {json.dumps(value)}, found {json.dumps(c[key])}")

def sizes(c):
    d, H = get(c, "hidden_size", "n_embd", "n_embed", "d_model"), get(c, "num_attention_heads", "n_head", "n_heads")
    L = get(c, "num_hidden_layers", "n_layer", "n_layers")
    return dict(family=c["model_type"], V=c["vocab_size"], d=d, L=L, H=H, G=H, D=d // H, e=d, windows=(None,) * L)

def read_rope(c, R, base):
    s = Config((c.get("rope_scaling") or {}) | (c.get("rope_parameters") or {}))
    kind, limit = get(s, "rope_type", "type", default="default"), c["max_position_embeddings"]
    if kind not in ("default", "linear", "dynamic", "yarn", "llama3", "longrope"):
        raise FolderError(f"config.json: expected rope_type linear, dynamic, yarn, llama3 or longrope, found {kind}")
    original = get(s, "original_max_position_embeddings", default=limit)
    if kind == "longrope":
        original = get(c, "original_max_position_embeddings", default=original)
    return Rope(R, get(s, "rope_theta", default=base), limit, original, kind, s)

def read_gpt2(c, n):
    expect(c, scale_attn_weights=True, scale_attn_by_inverse_layer_idx=False, tie_word_embeddings=True)
    return Model(**n, F=get(c, "n_inner", default=4 * n["d"]), activation=c.get("activation_function", "gelu_new"),
                 eps=c.get("layer_norm_epsilon", 1e-5), rows=c["n_positions"], fused="3HD")

def read_gpt_neox(c, n):
    pct = c.get("rotary_pct", 0.25)
    expect(c, attention_bias=True)
    expect(c.get("rope_parameters") or {}, partial_rotary_factor=pct)
    return Model(**n, F=c["intermediate_size"], activation=c.get("hidden_act", "gelu"),
                 eps=c.get("layer_norm_eps", 1e-5), order="parallel" if c.get("use_parallel_residual", True) else "pre",
                 tied=c.get("tie_word_embeddings", False), fused="H3D",
                 rope=read_rope(c, int(n["D"] * pct), c.get("rotary_emb_base", 10000)))

def read_llama(c, n):
    """llama, mistral, qwen2 and qwen3."""
    family, biased = n["family"], ()
    if family == "mistral":
        n["windows"] = (c.get("sliding_window"),) * n["L"]
    elif family in ("qwen2", "qwen3") and c.get("use_sliding_window"):
        n["windows"] = tuple(c["sliding_window"] if l >= c["max_window_layers"] else None for l in range(n["L"]))
    n["G"] = get(c, "num_key_value_heads", default=n["H"])
    n["D"] = get(c, "head_dim", default=128 if family == "qwen3" else n["D"])
    if family == "qwen2":
        biased = ("q", "k", "v")
    elif c.get("attention_bias"):
        biased = ("q", "k", "v", "o")
    biased += ("gate", "up", "down") if c.get("mlp_bias") else ()
    return Model(**n, F=c["intermediate_size"], activation=c.get("hidden_act", "silu"), gated=True, biased=biased,
                 eps=c.get("rms_norm_eps", 1e-6), rms=True, tied=c.get("tie_word_embeddings", False),
                 rope=read_rope(c, n["D"], c.get("rope_theta", 10000)))

def read_opt(c, n):
    expect(c, enable_bias=True, layer_norm_elementwise_affine=True, _remove_final_layer_norm=False,
           tie_word_embeddings=True)
    n["e"] = get(c, "word_embed_proj_dim", default=n["d"])
    return Model(**n, F=c["ffn_dim"], activation=c.get("activation_function", "relu"), eps=1e-5, first_row=2,
                 rows=c["max_position_embeddings"] + 2, order="pre" if c.get("do_layer_norm_before", True) else "post")

def read_bloom(c, n):
    expect(c, tie_word_embeddings=True)
    return Model(**n, F=4 * n["d"], activation="gelu_new", eps=c.get("layer_norm_epsilon", 1e-5), fused="H3D",
                 order="norm_residual" if c.get("apply_residual_connection_post_layernorm") else "pre",
                 slopes=alibi_slopes_bloom(n["H"]))

def read_mpt(c, n):
    attention = c.get("attn_config") or {}
    expect(c, tie_word_embeddings=True, logit_scale=None)
    expect(attention, alibi=True, qk_ln=False, prefix_lm=False, attn_type="multihead_attention")
    return Model(**n, F=4 * n["d"], activation="gelu", eps=1e-5, biased=(), fused="3HD",
                 slopes=alibi_slopes_mpt(n["H"], attention.get("alibi_bias_max", 8)),
                 clip=attention.get("clip_qkv"), scale=attention.get("softmax_scale"))

READERS = dict(gpt2=read_gpt2, gpt_neox=read_gpt_neox, llama=read_llama, mistral=read_llama, qwen2=read_llama,
               qwen3=read_llama, opt=read_opt, bloom=read_bloom, mpt=read_mpt)

def read_config(c):
    if c.get("model_type") not in READERS:
        raise FolderError(f"config.json: expected model_type {', '.join(READERS)}, found {c.get('model_type')}")
    m = READERS[c["model_type"]](Config(c), sizes(Config(c)))
    if m.activation not in ACTIVATIONS:
        raise FolderError(f"config.json: expected hidden_act {', '.join(ACTIVATIONS)}, found {m.activation}")
    return m

def rescaled(m, kind, factor):
    """The model under a test-time scaling, which replaces the scaling of its config where distances beyond the
    training length occur: not in windows that are no longer."""
    if m.rope is None:
        raise FolderError(f"--position-scaling needs rotary positions, {m.family} has none")
    kept = [window is not None and window <= m.rope.original for window in m.windows]
    if all(kept):
        raise FolderError(f"--position-scaling needs distances beyond {m.rope.original}, all windows are shorter")
    return replace(m, rope=replace(m.rope, limit=m.rope.original, type=kind, settings=dict(factor=factor)),
                   window_rope=m.rope if any(kept) else None)

# ------------------------------------------------------------------------------------------------ tensors

def tensor_list(m):
    """Name -> (shape, kind, inputs), sorted by name; kind is norm, bias, table or matrix."""
    tables = dict(embed=(m.V, m.e), position=(m.rows, m.d), output=(m.V, m.d))
    matrices = dict(qkv=(3 * m.H * m.D, m.d), q=(m.H * m.D, m.d), k=(m.G * m.D, m.d), v=(m.G * m.D, m.d),
                    o=(m.d, m.H * m.D), gate=(m.F, m.d), up=(m.F, m.d), down=(m.d, m.F),
                    project_in=(m.d, m.e), project_out=(m.e, m.d))
    absent = dict(output=m.tied, project_in=m.e == m.d, project_out=m.e == m.d, final_norm=m.order == "post")
    result = {}
    for role, pattern in NAMES[m.family].items():
        if absent.get(role):
            continue
        if role in tables:
            kind, shape = "table", tables[role]
        elif role in matrices:
            kind, shape = "matrix", matrices[role]
        else:
            kind, shape = "norm", (m.D if role in ("q_norm", "k_norm") else m.d,)
        stored = shape[::-1] if kind == "matrix" and m.family == "gpt2" else shape  # gpt2: [in, out]
        for name in {pattern.format(l=l) for l in range(m.L)}:
            result[f"{name}.weight"] = stored, kind, shape[-1]
            if role in m.biased or kind in m.biased:
                result[f"{name}.bias"] = shape[:1], "bias", None
    return dict(sorted(result.items()))

def check_tensors(m, tensors):
    """Refuses missing, extra and misshapen tensors by name; returns those that the model reads."""
    if m.family in ("gpt2", "bloom"):  # some files lack the prefix
        tensors = {re.sub(r"^(?!transformer\.|lm_head\.)", "transformer.", name): t for name, t in tensors.items()}
    embed, output = (NAMES[m.family][role] + ".weight" for role in ("embed", "output"))
    if m.tied and output in tensors and np.array_equal(tensors[output], tensors.get(embed)):
        del tensors[output]
    expected = {name: shape for name, (shape, _, _) in tensor_list(m).items()}
    found = {name: t.shape for name, t in tensors.items() if not ACCEPTED_BUFFERS.fullmatch(name)}
    faults = [f"{name}: expected {expected.get(name)}, found {found.get(name)}"
              for name in sorted(expected.keys() | found.keys()) if expected.get(name) != found.get(name)]
    if faults:
        raise FolderError("\n".join([f"{len(faults)} tensors do not fit {m.family}, the first:"] + faults[:10]))
    return {name: tensors[name] for name in expected}

def read_safetensors(path):
    """Name -> array in float64."""
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header, body, result = json.loads(data[8:8 + length]), data[8 + length:], {}
    header.pop("__metadata__", None)
    for name, entry in header.items():
        raw = body[slice(*entry["data_offsets"])]
        if entry["dtype"] == "BF16":  # the upper half of a float32
            values = (np.frombuffer(raw, "<u2").astype("<u4") << 16).view("<f4")
        elif entry["dtype"] in ("F32", "F16"):
            values = np.frombuffer(raw, {"F32": "<f4", "F16": "<f2"}[entry["dtype"]])
        else:
            raise FolderError(f"{path}: {name}: expected F32, F16 or BF16, found {entry['dtype']}")
        result[name] = values.astype(float).reshape(entry["shape"])
    return result

def encode(values, dtype):
    values = values.astype("<f4")
    if dtype == "BF16":  # round to nearest, ties to even
        bits = values.view("<u4")
        return ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2").tobytes()
    return values.astype({"F32": "<f4", "F16": "<f2"}[dtype]).tobytes()

def write_safetensors(path, tensors, dtype):
    header, body = {"__metadata__": {"format": "pt"}}, b""
    for name, values in tensors.items():
        raw = encode(values, dtype)
        header[name] = dict(dtype=dtype, shape=values.shape, data_offsets=[len(body), len(body) + len(raw)])
        body += raw
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)
    return len(body)

def read_json(path):
    return json.loads(path.read_text(encoding="utf-8"))

def load(folder):
    m, files, tensors = read_config(read_json(folder / "config.json")), {"model.safetensors"}, {}
    if not (folder / "model.safetensors").exists():
        files = set(read_json(folder / "model.safetensors.index.json")["weight_map"].values())
    for file in sorted(files):
        tensors |= read_safetensors(folder / file)
    return Decoder(m, check_tensors(m, tensors))

# ------------------------------------------------------------------------------------------------ forward pass

class Decoder:
    def __init__(self, model, tensors):
        self.m, self.tensors = model, tensors

    def tensor(self, role, l=None, part="weight"):
        """The tensor of a role, None where the model has none."""
        return self.tensors.get(f"{NAMES[self.m.family].get(role, '').format(l=l)}.{part}")

    def linear(self, x, role, l=None):
        weight, bias = self.tensor(role, l), self.tensor(role, l, "bias")
        y = x @ (weight if self.m.family == "gpt2" else weight.T)
        return y if bias is None else y + bias

    def norm(self, x, role, l=None):
        weight, bias = self.tensor(role, l), self.tensor(role, l, "bias")
        return rms_norm(x, weight, self.m.eps) if self.m.rms else layer_norm(x, weight, bias, self.m.eps)

    def queries_keys_values(self, x_Td, l):
        m, T = self.m, len(x_Td)
        if m.fused is None:
            return [self.linear(x_Td, role, l).reshape(T, -1, m.D) for role in "qkv"]
        fused = self.linear(x_Td, "qkv", l)
        if m.clip is not None:
            fused = np.clip(fused, -m.clip, m.clip)
        if m.fused == "H3D":
            return np.moveaxis(fused.reshape(T, m.H, 3, m.D), 2, 0)
        return np.moveaxis(fused.reshape(T, 3, m.H, m.D), 1, 0)

    def attention(self, x_Td, l):
        m, T = self.m, len(x_Td)
        q_THD, k_TGD, v_TGD = self.queries_keys_values(x_Td, l)
        if m.family == "qwen3":
            q_THD, k_TGD = self.norm(q_THD, "q_norm", l), self.norm(k_TGD, "k_norm", l)
        if m.rope is not None:
            f_r, a = rope(m.window_rope if m.window_rope and m.windows[l] else m.rope, T)
            angles_T1r = np.arange(T)[:, None, None] * f_r
            cos_T1r, sin_T1r = a * np.cos(angles_T1r), a * np.sin(angles_T1r)
            q_THD, k_TGD = rotate_half(q_THD, cos_T1r, sin_T1r), rotate_half(k_TGD, cos_T1r, sin_T1r)
        group_H = np.arange(m.H) * m.G // m.H
        scores_HTT = np.einsum("mhd,nhd->hmn", q_THD, k_TGD[:, group_H]) * (m.scale or 1 / math.sqrt(m.D))
        distance_TT = np.arange(T)[:, None] - np.arange(T)
        if m.slopes is not None:
            scores_HTT = scores_HTT - m.slopes[:, None, None] * distance_TT
        visible_TT = (distance_TT >= 0) & (distance_TT < (m.windows[l] or T))
        p_HTT = np.exp(log_softmax(np.where(visible_TT, scores_HTT, -np.inf)))
        return self.linear(np.einsum("hmn,nhd->mhd", p_HTT, v_TGD[:, group_H]).reshape(T, -1), "o", l)

    def mlp(self, x, l):
        act, up = ACTIVATIONS[self.m.activation], self.linear(x, "up", l)
        return self.linear(act(self.linear(x, "gate", l)) * up if self.m.gated else act(up), "down", l)

    def block(self, x, l):
        if self.m.order == "parallel":
            return x + self.attention(self.norm(x, "norm1", l), l) + self.mlp(self.norm(x, "norm2", l), l)
        if self.m.order == "post":
            x = self.norm(x + self.attention(x, l), "norm1", l)
            return self.norm(x + self.mlp(x, l), "norm2", l)
        y = self.norm(x, "norm1", l)
        x = (y if self.m.order == "norm_residual" else x) + self.attention(y, l)
        y = self.norm(x, "norm2", l)
        return (y if self.m.order == "norm_residual" else x) + self.mlp(y, l)

    def logits(self, ids_T):
        m = self.m
        x = self.tensor("embed")[ids_T]
        if m.e != m.d:
            x = self.linear(x, "project_in")
        if m.rows:
            x = x + self.tensor("position")[m.first_row:m.first_row + len(ids_T)]
        if m.family == "bloom":
            x = self.norm(x, "embed_norm")
        for l in range(m.L):
            x = self.block(x, l)
        if m.order != "post":
            x = self.norm(x, "final_norm")
        if m.e != m.d:
            x = self.linear(x, "project_out")
        return x @ self.tensor("embed" if m.tied else "output").T

    def nll(self, ids):
        """-ln p of ids[1:], each token given those before it; one pass reads all T ids."""
        ids_T, longest = np.array(ids, dtype=int), self.m.rows - self.m.first_row if self.m.rows else math.inf
        if not (1 <= len(ids_T) <= longest and ids_T.min() >= 0 and ids_T.max() < self.m.V):
            raise FolderError(f"expected 1 to {longest} tokens with ids from 0 to {self.m.V - 1}")
        return -log_softmax(self.logits(ids_T))[np.arange(len(ids_T) - 1), ids_T[1:]]

# ------------------------------------------------------------------------------------------------ vectors

IDS = [(7 * t * t + 3 * t + 1) % 61 for t in range(48)]
POINTS = [0, 1, 15, 31, 46]

BASE = dict(
    llama=dict(
        architectures=["LlamaForCausalLM"], vocab_size=61, hidden_size=48, intermediate_size=80, num_hidden_layers=3,
        num_attention_heads=6, num_key_value_heads=2, max_position_embeddings=32, hidden_act="silu", rms_norm_eps=1e-5,
        rope_theta=10000.0, rope_scaling=None, attention_bias=False, mlp_bias=False, tie_word_embeddings=False),
    gpt_neox=dict(
        architectures=["GPTNeoXForCausalLM"], vocab_size=61, hidden_size=48, intermediate_size=80, num_hidden_layers=3,
        num_attention_heads=6, max_position_embeddings=32, hidden_act="gelu", layer_norm_eps=1e-5, rotary_pct=0.25,
        rotary_emb_base=10000, rope_scaling=None, use_parallel_residual=True, attention_bias=True,
        tie_word_embeddings=False),
    opt=dict(
        architectures=["OPTForCausalLM"], vocab_size=61, hidden_size=48, word_embed_proj_dim=48, ffn_dim=80,
        num_hidden_layers=3, num_attention_heads=6, max_position_embeddings=96, activation_function="relu",
        do_layer_norm_before=True, enable_bias=True, layer_norm_elementwise_affine=True, tie_word_embeddings=True),
    bloom=dict(
        architectures=["BloomForCausalLM"], vocab_size=61, hidden_size=48, n_layer=3, n_head=6, seq_length=32,
        layer_norm_epsilon=1e-5, apply_residual_connection_post_layernorm=False, tie_word_embeddings=True),
    mpt=dict(
        architectures=["MptForCausalLM"], vocab_size=61, d_model=48, n_layers=3, n_heads=6, expansion_ratio=4,
        max_seq_len=32, no_bias=True, tie_word_embeddings=True),
    gpt2=dict(
        architectures=["GPT2LMHeadModel"], vocab_size=61, n_embd=48, n_layer=3, n_head=6, n_inner=None, n_positions=96,
        activation_function="gelu_new", layer_norm_epsilon=1e-5, scale_attn_weights=True,
        scale_attn_by_inverse_layer_idx=False, tie_word_embeddings=True))
KIN = {key: value for key, value in BASE["llama"].items() if key not in ("attention_bias", "mlp_bias")}
BASE["mistral"] = KIN | dict(architectures=["MistralForCausalLM"])
QWEN = KIN | dict(rms_norm_eps=1e-6, use_sliding_window=False, sliding_window=None, max_window_layers=3)
BASE["qwen2"] = QWEN | dict(architectures=["Qwen2ForCausalLM"])
BASE["qwen3"] = QWEN | dict(architectures=["Qwen3ForCausalLM"], attention_bias=False)

def config(family, without=(), **changes):
    c = dict(model_type=family, torch_dtype="float32") | BASE[family] | changes
    return {key: value for key, value in c.items() if key not in without}

def mpt_attention(**changes):
    return dict(attn_type="multihead_attention", alibi=True, alibi_bias_max=8, clip_qkv=None, softmax_scale=None,
                qk_ln=False, prefix_lm=False) | changes

CONFIGS = {
    "llama": config("llama"),
    "llama-tied": config("llama", num_key_value_heads=6, tie_word_embeddings=True),
    "llama-linear": config("llama", rope_scaling=dict(rope_type="linear", factor=4.0)),
    "llama-dynamic": config("llama", rope_scaling=dict(rope_type="dynamic", factor=2.0)),
    "llama-yarn": config("llama", max_position_embeddings=128, rope_scaling=dict(
        rope_type="yarn", factor=4.0, original_max_position_embeddings=32)),
    "llama3-rope": config("llama", max_position_embeddings=512, rope_theta=500000.0, rope_scaling=dict(
        rope_type="llama3", factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0,
        original_max_position_embeddings=64)),
    "llama-longrope": config(
        "llama", max_position_embeddings=128, original_max_position_embeddings=32, rope_scaling=dict(
            rope_type="longrope", short_factor=[1.0, 1.0, 1.1, 1.2], long_factor=[1.0, 1.5, 3.0, 4.0])),
    "llama-biased": config("llama", attention_bias=True, mlp_bias=True, head_dim=12),
    "llama-1b-rope-parameters": config("llama", without=["rope_theta", "rope_scaling"], rope_parameters=dict(
        rope_type="linear", factor=2.0, rope_theta=10000.0)),
    "mistral": config("mistral", sliding_window=16, head_dim=8),
    "qwen2": config("qwen2", rope_theta=1e6, tie_word_embeddings=True),
    "qwen2-window": config("qwen2", rope_scaling=dict(rope_type="linear", factor=2.0), use_sliding_window=True,
                           sliding_window=16, max_window_layers=1),
    "qwen2-long-window": config("qwen2", use_sliding_window=True, sliding_window=40, max_window_layers=1),
    "qwen3": config("qwen3", head_dim=16),
    "neox": config("gpt_neox"),
    "neox-sequential": config("gpt_neox", rotary_pct=1.0, hidden_act="gelu_new", use_parallel_residual=False),
    "neox-linear": config("gpt_neox", rope_scaling=dict(type="linear", factor=4.0)),
    "opt": config("opt"),
    "opt-post": config("opt", do_layer_norm_before=False, word_embed_proj_dim=32),
    "bloom": config("bloom"),
    "bloom-8": config("bloom", hidden_size=64, n_head=8),
    "mpt": config("mpt", attn_config=mpt_attention(clip_qkv=1.5)),
    "mpt-8": config("mpt", n_heads=8, attn_config=mpt_attention(alibi_bias_max=16)),
    "gpt2": config("gpt2"),
}

# Name, then the mean of 47 values and the values at POINTS, in nats.
EXPECTED = """
llama                      7.705823816 | 7.724197879 5.738458290 5.316461978 8.275328501 10.010941677
llama-tied                 7.991141194 | 9.317121207 9.675530358 8.359806262 8.223489679 3.645155759
llama-linear               7.981891731 | 7.724197879 5.545719826 6.529317987 8.684792508 7.955576209
llama-dynamic              7.702347026 | 7.724197879 5.708174080 5.894620706 7.992759413 5.027567695
llama-yarn                 8.270043103 | 7.724197879 6.005256411 6.936778696 8.369768239 10.707496847
llama3-rope                8.194781774 | 7.724197879 5.643644041 6.190007668 9.187590818 11.771934751
llama-longrope             7.979767903 | 7.724197879 6.163071528 6.571841230 8.078126714 5.311646510
llama-biased               8.072358310 | 2.611176588 7.972947603 8.156382254 8.341395114 13.509475027
mistral                    7.755409061 | 7.724197879 5.738458290 5.316461978 8.963942935 8.918669301
qwen2                      8.749665155 | 11.253722120 7.587273944 6.685272100 6.184371037 2.953865297
qwen2-window               7.971980347 | 9.233896905 9.024210319 7.285910436 6.649525166 3.642945404
qwen3                      7.961824834 | 10.596580218 5.326035074 8.283572914 8.003112524 7.100879457
neox                       7.879031568 | 10.112508901 9.408672002 6.849294888 9.441304087 8.194946050
opt                        8.535850379 | 5.801256248 15.617459615 7.480883722 6.343106354 8.585072083
bloom                      8.335107856 | 0.941916242 10.115865993 5.094145119 4.830352515 7.198408124
mpt                        7.884486137 | 9.642034032 4.980302943 10.318786764 6.673960527 11.067356224
gpt2                       14.518733009 | 21.932699031 3.604878043 13.451396200 9.492534166 10.976705868
llama-1b-rope-parameters   7.917990661 | 7.724197879 5.553392466 6.909202479 8.468754851 6.695381665
neox-sequential            8.649522179 | 9.789483096 6.390460874 7.489260042 7.210429295 8.737934709
neox-linear                8.051442909 | 10.112508901 10.433391016 6.522666274 9.201929832 9.975595582
opt-post                   17.496317238 | 16.654905372 17.492156791 16.909268488 27.791756174 21.092558654
bloom-8                    10.828196202 | 8.567606897 17.160437914 13.969414253 10.850259801 14.222959188
mpt-8                      8.250425362 | 4.941993683 5.309896846 13.527099091 8.558992944 4.521278319
llama under linear 4       7.981891731 | 7.724197879 5.545719826 6.529317987 8.684792508 7.955576209
llama under dynamic 4      7.701880778 | 7.724197879 5.696242901 6.080937878 7.943289311 5.559223448
llama under ntk 4          7.888283113 | 7.724197879 5.689427322 6.264516308 8.075907304 5.528885852
llama under yarn 4         8.270043103 | 7.724197879 6.005256411 6.936778696 8.369768239 10.707496847
qwen2-window under linear 4     8.402980687 | 9.233896905 8.973337593 7.855863943 7.938463713 3.859292042
qwen2-window under dynamic 4    8.219353443 | 9.233896905 8.100999997 7.925886224 6.950993286 4.183493075
qwen2-window under ntk 4        8.274987536 | 9.233896905 8.114994302 7.929069578 6.819245977 9.602517773
qwen2-window under yarn 4       8.043151016 | 9.233896905 8.360040068 6.137292120 6.804582944 4.987583895
qwen2-long-window under yarn 4  7.871710040 | 9.233896905 8.468773539 6.630482492 6.059636489 4.576798237
"""

def vector_tensors(m):
    """Tensors from the formula: number n in the order of the sorted names, flat index i."""
    result = {}
    for n, (name, (shape, kind, inputs)) in enumerate(tensor_list(m).items()):
        i = np.arange(math.prod(shape), dtype=float)
        # `0.0131 * i * i`, not `0.0131 * i ** 2`: the sine's argument reaches 4e6, so the rounding shows at 1e-9.
        v = np.sin(0.37 * (n + 1) + 0.71 * i + 0.0131 * i * i).reshape(shape)
        if kind == "matrix":
            result[name] = 2 * v / math.sqrt(inputs)
        else:
            result[name] = dict(norm=1 + 0.2 * v, bias=0.2 * v, table=0.7 * v)[kind]
    return result

def vector_decoder(row):
    """The decoder of a row of the table, for example `mpt-8` or `llama under ntk 4`."""
    name, _, scaling = row.partition(" under ")
    m = read_config(CONFIGS[name])
    tensors = check_tensors(m, vector_tensors(m))
    kind, _, factor = scaling.partition(" ")
    return Decoder(rescaled(m, kind, float(factor)) if scaling else m, tensors)

# ------------------------------------------------------------------------------------------------ commands

def vectors(args):
    differences = []
    for line in EXPECTED.strip().splitlines():
        row, numbers = re.fullmatch(r"(.*?)  +(\d.*)", line).groups()
        nll, expected = vector_decoder(row).nll(IDS), [float(x) for x in numbers.replace("|", "").split()]
        found = [nll.mean(), *nll[POINTS]]
        differences.append(np.abs(np.subtract(found, expected)).max())
        for label, values in ("specification", expected), (f"difference {differences[-1]:.1e}", found):
            print(f"{row:26}{values[0]:13.9f} |" + "".join(f"{x:13.9f}" for x in values[1:]) + f"  {label}")
    print(f"{len(differences)} vectors, largest difference {max(differences):.1e}, allowed 1e-8")
    return 0 if max(differences) <= 1e-8 else 1

def score(args):
    decoder, ids = load(args.folder), read_json(args.tokens)
    if args.position_scaling:
        decoder.m = rescaled(decoder.m, args.position_scaling, args.factor)
    print(json.dumps(dict(tokens=ids, nll=[None, *decoder.nll(ids).tolist()])))
    return 0

def write(args):
    c = CONFIGS[args.name] | dict(torch_dtype=dict(F32="float32", F16="float16", BF16="bfloat16")[args.dtype])
    tensors, weight_map, size = vector_tensors(read_config(c)), {}, 0
    args.folder.mkdir(parents=True, exist_ok=True)
    (args.folder / "config.json").write_text(json.dumps(c, indent=2))
    for k, part in enumerate(np.array_split(list(tensors), args.shards), 1):
        file = "model.safetensors" if args.shards == 1 else f"model-{k:05}-of-{args.shards:05}.safetensors"
        chosen = {str(name): tensors[name] for name in part}
        size += write_safetensors(args.folder / file, chosen, args.dtype)
        weight_map |= dict.fromkeys(chosen, file)
    if args.shards > 1:
        index = dict(metadata=dict(total_size=size), weight_map=weight_map)
        (args.folder / "model.safetensors.index.json").write_text(json.dumps(index, indent=2))
    return 0

def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    commands = parser.add_subparsers(required=True, metavar="score|vectors|write")
    command = commands.add_parser("score", help="print the NLL of each token as JSON")
    command.add_argument("folder", type=Path)
    command.add_argument("--tokens", required=True, type=Path, help="a file with a JSON array of token ids")
    command.add_argument("--position-scaling", choices=["linear", "dynamic", "ntk", "yarn"])
    command.add_argument("--factor", type=float)
    command.set_defaults(run=score)
    commands.add_parser("vectors", help="compare with the specification's table").set_defaults(run=vectors)
    command = commands.add_parser("write", help="write the folder of one model of the table")
    command.add_argument("name", choices=CONFIGS)
    command.add_argument("folder", type=Path)
    command.add_argument("--dtype", choices=["F32", "F16", "BF16"], default="F32")
    command.add_argument("--shards", type=int, default=1)
    command.set_defaults(run=write)
    args = parser.parse_args()
    if args.run is score and (args.position_scaling is None) != (args.factor is None):
        parser.error("--position-scaling and --factor go together")
    try:
        return args.run(args)
    except FolderError as error:
        print(error, file=sys.stderr)
        return 2

if __name__ == "__main__":
    sys.exit(main())
