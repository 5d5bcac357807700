"""One seeded layer as every layout of `mha layouts` stores it, and its output computed here.

    python3 layouts.py DIRECTORY

writes NAME.npz for each layout (its arrays and X), O-NAME.npy, a checkpoint in two files with an index and a
config.json in the directory `llama`, and cases.txt: a line of arguments for `mha compare` for each.
"""
import json
import os
import struct
import sys

import numpy as np

T, H, KV, D, WIDTH = 7, 4, 2, 6, 24
rng = np.random.default_rng(9)


def heads(Y, n):
    return Y.reshape(T, n, -1).transpose(1, 0, 2)


def rotated(M, dims, base=10000.0):
    """Numbers c and c + dims/2 of row p turned by p * base^(-2c/dims)."""
    half = dims // 2
    angle = np.arange(T)[:, None] * base ** (-2.0 * np.arange(half) / dims)
    x, y = M[..., :half], M[..., half:dims]
    turned = np.concatenate([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)], axis=-1)
    return np.concatenate([turned, M[..., dims:]], axis=-1)


def normed(M, weight, eps):
    return M / np.sqrt((M * M).mean(-1, keepdims=True) + eps) * weight


def output(X, W, b, kv=H, causal=True, scale=None, rotary=0, norms=None, bias=0.0):
    Q, K, V = (heads(X @ W[n] + b[n], H if n == "Q" else kv) for n in "QKV")
    if norms is not None:
        Q, K = normed(Q, norms[0], 1e-6), normed(K, norms[1], 1e-6)
    if rotary:
        Q, K = rotated(Q, rotary), rotated(K, rotary)
    K, V = np.repeat(K, H // kv, 0), np.repeat(V, H // kv, 0)
    S = Q @ K.transpose(0, 2, 1) * (Q.shape[2] ** -0.5 if scale is None else scale) + bias
    if causal:
        S = np.where(np.tril(np.ones((T, T), bool)), S, -np.inf)
    A = np.exp(S - S.max(-1, keepdims=True))
    A /= A.sum(-1, keepdims=True)
    return np.concatenate(list(A @ V), axis=1) @ W["O"] + b["O"]


def drawn(kv=H, biases=True):
    W = {n: rng.normal(size=(WIDTH, (kv if n in "KV" else H) * D)) for n in "QKV"} | {"O": rng.normal(size=(H * D, WIDTH))}
    b = {n: rng.normal(size=W[n].shape[1]) * biases for n in "QKVO"}
    return W, b


def safetensors(path, arrays):
    header, data = {}, b""
    for name, a in arrays.items():
        a = np.ascontiguousarray(a, dtype="<f8")
        header[name] = {"dtype": "F64", "shape": a.shape, "data_offsets": [len(data), len(data) + a.nbytes]}
        data += a.tobytes()
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


os.chdir(sys.argv[1])
X = rng.normal(size=(T, WIDTH))
cases = []


def case(layout, arrays, O, options="", prefix="layer."):
    np.savez(layout + ".npz", X=X, **{prefix + name: a for name, a in arrays.items()})
    np.save("O-" + layout + ".npy", O)
    cases.append(f"--input {layout}.npz --layout {layout} --prefix {prefix} {options} --expect O-{layout}.npy")


def linear(names, W, b=None):
    """nn.Linear keeps W transposed."""
    arrays = {names[n] + ".weight": W[n].T for n in "QKVO"}
    return arrays | ({names[n] + ".bias": b[n] for n in "QKVO"} if b else {})


def named(*four):
    return dict(zip("QKVO", four))


def by_head(M):
    return M.reshape(M.shape[0], H, D)


W, b = drawn()
O = output(X, W, b)
O_open = output(X, W, b, causal=False)
case("lesson", {"W_" + n: W[n] for n in "QKVO"} | {"b_" + n: b[n] for n in "QKVO"}, O, f"--H {H}")
fused, fused_b = np.concatenate([W[n] for n in "QKV"], 1), np.concatenate([b[n] for n in "QKV"])
case("torch", {"in_proj_weight": fused.T, "in_proj_bias": fused_b, "out_proj.weight": W["O"].T, "out_proj.bias": b["O"]}, O, f"--H {H}")
case("torch-separate", {n.lower() + "_proj_weight": W[n].T for n in "QKV"} | {"in_proj_bias": fused_b, "out_proj.weight": W["O"].T, "out_proj.bias": b["O"]}, O, f"--H {H}")
case("gpt2", {"c_attn.weight": fused, "c_attn.bias": fused_b, "c_proj.weight": W["O"], "c_proj.bias": b["O"],
              "bias": np.tril(np.ones((9, 9)))[None, None]}, O, f"--H {H}")
case("gpt2-linear", {"c_attn.weight": fused.T, "c_attn.bias": fused_b, "c_proj.weight": W["O"].T, "c_proj.bias": b["O"]}, O, f"--H {H}")
case("timm", {"qkv.weight": fused.T, "qkv.bias": fused_b, "proj.weight": W["O"].T, "proj.bias": b["O"]}, O_open, f"--H {H}")
case("bert", linear(named("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense"), W, b), O_open, f"--H {H}")
case("bart", linear(named("q_proj", "k_proj", "v_proj", "out_proj"), W, b), O, f"--H {H}")
case("distilbert", linear(named("q_lin", "k_lin", "v_lin", "out_lin"), W, b), O_open, f"--H {H}")
per_head = {n: by_head(W[n]) for n in "QKV"}
case("transformerlens", {"W_" + n: per_head[n].transpose(1, 0, 2) for n in "QKV"} | {"W_O": W["O"].reshape(H, D, WIDTH), "b_O": b["O"]}
     | {"b_" + n: b[n].reshape(H, D) for n in "QKV"} | {"mask": np.tril(np.ones((9, 9), bool)), "IGNORE": np.array(-np.inf)}, O)
for layout, out in (("keras", "attention_output"), ("flax", "out")):
    names = named("query", "key", "value", out)
    case(layout, {names[n] + "/kernel": per_head[n] for n in "QKV"} | {names[n] + "/bias": b[n].reshape(H, D) for n in "QKV"}
         | {out + "/kernel": W["O"].reshape(H, D, WIDTH), out + "/bias": b["O"]}, O)
head_thirds = np.concatenate([M[:, h * D:(h + 1) * D] for h in range(H) for M in (W["Q"], W["K"], W["V"])], 1)
head_thirds_b = np.concatenate([v[h * D:(h + 1) * D] for h in range(H) for v in (b["Q"], b["K"], b["V"])])
case("neox", {"query_key_value.weight": head_thirds.T, "query_key_value.bias": head_thirds_b, "dense.weight": W["O"].T, "dense.bias": b["O"]},
     output(X, W, b, rotary=4), f"--H {H} --set rope_base=10000,rope_dims=4")
W, b = drawn(biases=False)
bias = rng.normal(size=(H, T, T))
case("t5", linear(named("q", "k", "v", "o"), W) | {"mask": bias}, output(X, W, b, scale=1.0, bias=bias), f"--H {H}")

W, b = drawn(kv=KV, biases=False)
norms = rng.normal(size=(2, D))
arrays = linear(named("q_proj", "k_proj", "v_proj", "o_proj"), W) | {"q_norm.weight": norms[0], "k_norm.weight": norms[1]}
O = output(X, W, b, kv=KV, rotary=D, norms=norms)
case("llama", arrays, O, f"--H {H} --set rope_base=10000")

# A checkpoint as it lies on a disk: two files, an index, a configuration; X from elsewhere.
os.makedirs("llama", exist_ok=True)
prefix = "model.layers.0.self_attn."
arrays = {prefix + name: a for name, a in arrays.items()}
halves = dict(list(arrays.items())[:3]), dict(list(arrays.items())[3:])
index = {}
for i, half in enumerate(halves, 1):
    name = f"model-0000{i}-of-00002.safetensors"
    safetensors("llama/" + name, half)
    index |= {array: name for array in half}
with open("llama/model.safetensors.index.json", "w") as file:
    json.dump({"metadata": {"total_size": 0}, "weight_map": index}, file)
with open("llama/config.json", "w") as file:
    json.dump({"model_type": "qwen3", "num_attention_heads": H, "num_key_value_heads": KV, "head_dim": D, "hidden_size": WIDTH,
               "rope_theta": 10000.0, "rope_scaling": None, "rms_norm_eps": 1e-6, "sliding_window": None}, file)
np.save("X.npy", X)
for path in ("llama", "llama/model.safetensors.index.json"):
    cases.append(f"--input {path} --layout llama --prefix {prefix} --x X.npy --expect O-llama.npy")
with open("cases.txt", "w") as file:
    file.write("\n".join(cases) + "\n")
