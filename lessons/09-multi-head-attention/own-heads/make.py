#!/usr/bin/env python3
"""Makes the files that the guide own-heads.md reads, in this folder or in the one named: make.py [FOLDER]

Needs NumPy. The numbers come from Python's own generator, whose stream is promised to stay, so every run
makes the same bytes.
"""

import json
import math
import pathlib
import random
import struct
import sys

import numpy as np

folder = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__)
folder = folder if folder.is_dir() else folder.parent
generator = random.Random(9)


def uniform(rows, cols, size):
    """rows x cols numbers between -size and size."""
    return np.array([[generator.uniform(-size, size) for _ in range(cols)] for _ in range(rows)])


def write_json(name, members):
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in members.items()]
    (folder / name).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def safetensors(arrays):
    """The format by hand: the header's length in 8 bytes, the header in JSON, the entries."""
    names = {"float32": "F32", "uint8": "U8"}
    header, data = {}, b""
    for name, array in arrays.items():
        begin = len(data)
        data += array.tobytes()
        header[name] = {"dtype": names[array.dtype.name], "shape": array.shape, "data_offsets": [begin, len(data)]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return struct.pack("<Q", len(text)) + text + data


# The lesson's four heads, and its pipeline of two.


def position_code(T, lag):
    angles = [2.0 * math.pi * (i - lag) / T for i in range(1, T + 1)]
    return [[3.0 * math.cos(angle), 3.0 * math.sin(angle)] for angle in angles]


zero = [[0.0, 0.0]] * 6
here = position_code(6, 0)
write_json(
    "four-heads.json",
    {
        "tokens": ["we", "saw", "the", "sea", "and", "swam"],
        "heads": [
            {"name": "first token", "Q": [[1.0, 0.0]] * 6, "K": [[3.0, 0.0]] + zero[1:]},
            {"name": "previous token", "Q": position_code(6, 1), "K": here},
            {"name": "self", "Q": here, "K": here},
            {"name": "uniform", "Q": zero, "K": zero},
        ],
    },
)
# X is the identity, so W_Q and W_K are what Q and K are to be: head 1's code of four positions, head 2's zeros.
code = [row + [0.0, 0.0] for row in position_code(4, 0)]
write_json(
    "two-heads.json",
    {
        "X": np.eye(4).tolist(),
        "W_Q": code,
        "W_K": code,
        "W_V": np.roll(np.eye(4), 2, axis=0).tolist(),
        "W_O": [[1, 0, 0, 0], [0, 1, 0, 0], [1, 0, -1, 0], [0, 0, 0, 1]],
    },
)

# A layer of four heads over eight tokens, as a model might have learnt it: X holds content (columns 1 to 8),
# the position as points on two circles (9 to 12) and a mark of the first token (13).
T, H, d_k = 8, 4, 4
d = H * d_k
angles = 2.0 * np.pi * np.arange(T) / T
X = uniform(T, d, 1.0)
X[:, 8:12] = np.stack([np.cos(angles), np.sin(angles), np.cos(2 * angles), np.sin(2 * angles)], axis=1)
X[:, 12] = np.eye(T)[0]

W_Q, W_K, W_V, W_O = (np.zeros((d, d)) for _ in range(4))
head = [slice(h * d_k, (h + 1) * d_k) for h in range(H)]
# 1: keys say where they stand, queries ask for one step before.
step = 2.0 * np.pi / T
turn = [[math.cos(k * step), math.sin(k * step)] for k in (1, 2)]
back = np.zeros((4, 4))
for circle, (c, s) in enumerate(turn):
    back[2 * circle : 2 * circle + 2, 2 * circle : 2 * circle + 2] = [[c, -s], [s, c]]
W_Q[8:12, head[0]] = 3.0 * back
W_K[8:12, head[0]] = 3.0 * np.eye(4)
W_Q[:, head[0]] += uniform(d, d_k, 0.2)
W_K[:, head[0]] += uniform(d, d_k, 0.2)
# 2: content, through two of its four columns. 3: the same once more, but for a little noise.
W_Q[:8, head[1]] = uniform(8, d_k, 0.6) * [1, 1, 0, 0]
W_K[:8, head[1]] = uniform(8, d_k, 0.6)
W_Q[:, head[2]] = W_Q[:, head[1]] + uniform(d, d_k, 0.02)
W_K[:, head[2]] = W_K[:, head[1]] + uniform(d, d_k, 0.02)
# 4: every query asks for the first token, by its bias alone.
b_Q, b_K = np.zeros(d), np.zeros(d)
b_Q[head[3]] = [2.0, 0.0, 0.0, 0.0]
W_K[12, head[3]] = [4.0, 0.0, 0.0, 0.0]
# What head 4 finds there says little.
W_V[:] = uniform(d, d, 0.5)
W_V[:, head[3]] *= 0.1
W_O[:] = uniform(d, d, 0.5)
b_V, b_O = uniform(1, d, 0.05)[0], uniform(1, d, 0.1)[0]

X, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O = (
    M.astype(np.float32) for M in (X, W_Q, W_K, W_V, W_O, b_Q, b_K, b_V, b_O)
)
W_QKV, b_QKV = np.hstack([W_Q, W_K, W_V]), np.hstack([b_Q, b_K, b_V])


def heads_of(W, b):
    """[H, T, d_k] of X W + b, in float64."""
    projected = X.astype(float) @ W.astype(float) + b
    return projected.reshape(T, H, d_k).transpose(1, 0, 2)


def attention(Q, K, V):
    """A and A V of each head; the last query sees every key."""
    scores = Q @ K.transpose(0, 2, 1) / math.sqrt(d_k)
    seen = np.tril(np.ones(scores.shape[1:]), K.shape[1] - Q.shape[1]) > 0
    A = np.where(seen, np.exp(scores - scores.max(axis=2, keepdims=True)), 0.0)
    A /= A.sum(axis=2, keepdims=True)
    return A, A @ V


Q, K, V = heads_of(W_Q, b_Q), heads_of(W_K, b_K), heads_of(W_V, b_V)
A, O_heads = attention(Q, K, V)
O = O_heads.transpose(1, 0, 2).reshape(T, d) @ W_O.astype(float) + b_O


def batch(array):
    """With the batch of one that frameworks put in front, in float32."""
    return np.ascontiguousarray(array[None], dtype=np.float32)


# The layer as a GPT-2 checkpoint has it, among other tensors; as the state dict of a
# torch.nn.MultiheadAttention; and as Q, K and V.
checkpoint = {
    "wte.weight": uniform(12, d, 0.1).astype(np.float32),
    "h.5.ln_1.weight": np.ones(d, np.float32),
    "h.5.attn.bias": np.tril(np.ones((1, 1, T, T), np.uint8)),  # the causal mask, by its name there
    "h.5.attn.c_attn.weight": W_QKV,
    "h.5.attn.c_attn.bias": b_QKV,
    "h.5.attn.c_proj.weight": W_O,
    "h.5.attn.c_proj.bias": b_O,
    "h.5.mlp.c_fc.bias": np.zeros(4 * d, np.float32),
}
(folder / "model.safetensors").write_bytes(safetensors(checkpoint))
np.save(folder / "ln1_out.npy", batch(X))
torch_layer = {
    "in_proj_weight": np.ascontiguousarray(W_QKV.T),
    "in_proj_bias": b_QKV,
    "out_proj.weight": np.ascontiguousarray(W_O.T),
    "out_proj.bias": b_O,
}
np.savez(folder / "torch-layer.npz", X=X, **torch_layer)
np.savez(folder / "qkv.npz", Q=batch(Q), K=batch(K), V=batch(V), W_O=W_O, b_O=b_O)
# The same in the middle of generating: the last two queries, against the keys and values in a cache.
np.savez(folder / "qkv-cache.npz", Q=batch(Q[:, -2:]), K=batch(K), V=batch(V))

# What another implementation makes of it: right, and with one entry changed.
np.save(folder / "attn_out.npy", batch(O))
np.save(folder / "sdpa_out.npy", batch(O_heads))
wrong = batch(O)
wrong[0, 5, 11] += 0.01
np.save(folder / "attn_out-wrong.npy", wrong)
# Weights of two layers, as output_attentions gives them: uniform ones, and this layer's.
uniform_A = np.tril(np.ones((T, T))) / np.arange(1, T + 1)[:, None]
np.save(folder / "attentions.npy", np.stack([batch(np.stack([uniform_A] * H)), batch(A)]))
