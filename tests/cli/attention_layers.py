"""Writes layers of attention as models have them, with what a slow program makes of them, into this folder.

  attention_layers.py operator         64 of the kind that the ONNX standard's Attention operator is tested with
  attention_layers.py random N [SEED]  N with anything that can be told of a layer, in any combination

cases.json lists them: what they are, the arguments of `mha compare`, and how many numbers it has to compare.
"""

import json
import struct
import sys

import numpy as np

LARGE = 300


def normed(x, weight, epsilon):
    return x / np.sqrt(np.mean(x * x) + epsilon) * weight


def rotated(x, position, base, dims, pairs):
    y = x.copy()
    for c in range(dims // 2):
        angle = position * base ** (-2 * c / dims)
        i, j = (2 * c, 2 * c + 1) if pairs == "interleaved" else (c, c + dims // 2)
        y[i] = x[i] * np.cos(angle) - x[j] * np.sin(angle)
        y[j] = x[i] * np.sin(angle) + x[j] * np.cos(angle)
    return y


def attention(Q, K, V, *, causal=True, scale=None, offset=0, window=None, kv_length=None, softcap=None,
              rope_base=None, rope_dims=None, rope_pairs="half", norm_eps=1e-6, mask=None, key_mask=None,
              sinks=None, bias_k=None, bias_v=None, q_norm=None, k_norm=None):
    """A [H, T_q, T_k] and the heads' outputs [H, T_q, d_v] of one sequence, in float64, row by row."""
    H, T_q, d_k = Q.shape
    kv, T_k, d_v = V.shape
    if mask is not None:
        mask = np.broadcast_to(mask, (H, T_q, T_k))

    def changed(x, weight, position):
        if weight is not None:
            x = normed(x, weight, norm_eps)
        return rotated(x, position, rope_base, rope_dims or d_k, rope_pairs) if rope_base else x

    def sees(h, t, i):
        if i == T_k:
            return True
        return not ((causal and i > t + offset) or (window is not None and i <= t + offset - window)
                    or (kv_length is not None and i >= kv_length) or (key_mask is not None and not key_mask[i])
                    or (mask is not None and mask[h, t, i] == (False if mask.dtype == bool else -np.inf)))

    extra = 0 if bias_k is None else 1
    A, O = np.zeros((H, T_q, T_k + extra)), np.zeros((H, T_q, d_v))
    for h in range(H):
        g = h // (H // kv)
        keys = np.array([changed(K[g, i], k_norm, i) for i in range(T_k)])
        values = V[g]
        if extra:
            keys = np.vstack([keys, bias_k.reshape(kv, -1)[g]])
            values = np.vstack([values, bias_v.reshape(kv, -1)[g]])
        for t in range(T_q):
            seen = [i for i in range(T_k + extra) if sees(h, t, i)]
            if not seen:
                continue
            s = keys[seen] @ changed(Q[h, t], q_norm, t + offset) * (1 / np.sqrt(d_k) if scale is None else scale)
            if softcap is not None:
                s = softcap * np.tanh(s / softcap)
            if mask is not None and mask.dtype != bool:
                s = s + np.append(mask[h, t], 0.0)[seen]
            largest = max(s) if sinks is None else max(*s, sinks[h])
            e = np.exp(s - largest)
            A[h, t, seen] = e / (sum(e) + (0 if sinks is None else np.exp(sinks[h] - largest)))
            O[h, t] = A[h, t, seen] @ values[seen]
    return A, O


def safetensors(path, arrays):
    names = {"f8": "F64", "f4": "F32", "f2": "F16", "b1": "BOOL", "i8": "I64"}
    header, data = {}, b""
    for name, a in arrays.items():
        header[name] = {"dtype": names[a.dtype.str[1:]], "shape": a.shape, "data_offsets": [len(data), len(data) + a.nbytes]}
        data += a.tobytes()
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def write(path, arrays):
    arrays = {name: np.asarray(a) for name, a in arrays.items()}
    if path.endswith(".npz"):
        np.savez(path, **arrays)
    elif path.endswith(".json"):
        with open(path, "w") as file:
            json.dump({name: a.tolist() for name, a in arrays.items()}, file, allow_nan=False)
    else:
        safetensors(path, arrays)


def concat(O):
    return O.transpose(1, 0, 2).reshape(O.shape[1], -1)


# The operator's vectors. A batch of two; the writer puts the past before K and V, since an input has no past.

def operator_vectors():
    rng = np.random.default_rng(24)
    forms = [(rank, *heads) for rank in (4, 3) for heads in ((3, 3, 8), (9, 3, 8), (3, 3, 10))]
    bits = [np.array([[1, 1, 0, 1, 0, 1], [0, 0, 0, 0, 0, 0], [1, 0, 1, 1, 1, 0], [0, 1, 1, 0, 1, 1]], bool)]
    bits += [rng.random(shape) < 0.7 for shape in ((3, 4, 6), (2, 1, 4, 6), (2, 3, 4, 6))]
    floats = [rng.normal(size=b.shape) for b in bits]
    floats[1] = np.where(bits[1], floats[1], -np.inf)
    vectors = []
    for form in forms:
        vectors += [(form, {}), (form, {"scale": 0.01}), (form, {"causal": True}), (form, {"mask": floats[0]}),
                    (form, {"softcap": 2.0}), (form, {"past": 12, "mask": rng.normal(size=(4, 18))})]
    for mask in floats + bits:
        vectors += [(forms[0], {"mask": mask}), (forms[2], {"mask": mask, "causal": True})]
    for lengths in ([6, 4], [5, 1], [0, 3]):  # an external cache
        vectors += [(forms[1], {"lengths": lengths}), (forms[4], {"lengths": lengths, "causal": True})]
    vectors += [(forms[0], {"past": 12, "causal": True}), (forms[0], {"window": 3, "causal": True}),
                (forms[1], {"past": 12, "window": 5, "causal": True, "softcap": 1.5, "mask": rng.normal(size=(4, 18))}),
                (forms[3], {"causal": True, "mask": np.where(bits[0], 0, -np.inf), "softcap": 3.0}),
                (forms[1], {"dtype": "f2"}), (forms[3], {"dtype": "f2", "causal": True, "mask": floats[0]})]
    for number, ((rank, H, kv, d_v), told) in enumerate(vectors):
        dtype = told.pop("dtype", "f4")
        past, lengths = told.pop("past", 0), told.pop("lengths", None)
        causal = told.pop("causal", False)
        Q, K, V = (rng.random(size).astype(dtype) for size in ((2, H, 4, 8), (2, kv, past + 6, 8), (2, kv, past + 6, d_v)))
        mask = told.pop("mask", None)
        arrays = {"Q": Q, "K": K, "V": V, "causal": causal}
        if mask is not None:
            arrays["attn_mask"] = mask = mask if mask.dtype == bool else mask.astype(dtype)
        arrays.update(told)
        results = []
        for b in range(2):
            more = dict(told)
            if lengths:
                more["kv_length"] = lengths[b]
            if causal:
                more["offset"] = lengths[b] - 4 if lengths else past
            if mask is not None:
                more["mask"] = mask if mask.ndim < 4 else mask[b if mask.shape[0] > 1 else 0]
            results.append((attention(*(x[b].astype(float) for x in (Q, K, V)), causal=causal, **more)[1], more))
        if rank == 3:  # [B, T, H·d], which is [B, T, H, d]
            for name in "QKV":
                arrays[name] = arrays[name].transpose(0, 2, 1, 3)
        expected = np.array([O if rank == 4 else concat(O) for O, _ in results]).astype(dtype)
        write(f"{number}.npz", arrays)
        np.savez(f"{number}-right.npz", O_concat=expected)
        for b, (O, more) in enumerate(results):
            told_here = [f"{name}={more[name]}" for name in ("offset", "kv_length") if name in more]
            yield {"arguments": f"--input {number}.npz --expect {number}-right.npz --batch {b + 1}"
                   + (" --axes bthd" if rank == 3 else "") + (" --map mask=attn_mask" if mask is not None else "")
                   + (" --set " + ",".join(told_here) if told_here else ""), "size": O.size}


# Anything in any combination.

def random_layer(rng, number):
    def chance(p):
        return rng.random() < p

    dtype = str(rng.choice(["f8", "f4", "f2"]))
    cast = lambda a: np.asarray(a).astype(dtype)
    H = int(rng.integers(1, 7))
    kv = int(rng.choice([n for n in range(1, H + 1) if H % n == 0]))
    most = LARGE if number % 30 == 0 else 24
    T_k = int(rng.integers(1, most))
    T_q = T_k if chance(0.5) else int(rng.integers(1, most))
    d_k, d_v = int(rng.choice([1, 2, 4, 6, 8, 10])), int(rng.integers(3, 10))
    B = int(rng.choice([1, 1, 2, 3]))
    b = int(rng.integers(0, B))
    lead = (B,) if B > 1 or chance(0.5) else ()
    Q, K, V = (cast(rng.normal(size=(*lead, *size))) for size in ((H, T_q, d_k), (kv, T_k, d_k), (kv, T_k, d_v)))

    told = {"causal": bool(chance(0.5))} if chance(0.5) else {}
    if T_q != T_k or chance(0.3):
        told["offset"] = int(rng.integers(-3, 4) + (T_k - T_q if chance(0.7) else 0))
    for name, likely, value in (
            ("window", 0.3, lambda: int(rng.integers(1, T_k + 3))), ("kv_length", 0.2, lambda: int(rng.integers(0, T_k + 1))),
            ("softcap", 0.3, lambda: float(rng.choice([0.5, 2.0, 20.0]))),
            ("scale", 0.3, lambda: float(rng.choice([1.0, 0.0, -0.3, 0.25])))):
        if chance(likely):
            told[name] = value()
    if d_k % 2 == 0 and chance(0.5):
        told["rope_base"] = float(rng.choice([100.0, 10000.0, 500000.0]))
        if chance(0.5):
            told["rope_dims"] = int(rng.integers(1, d_k // 2 + 1)) * 2
        if chance(0.6):
            told["rope_pairs"] = str(rng.choice(["half", "interleaved"]))
    arrays = {}
    if chance(0.35):  # left, right, and anywhere
        tokens = np.ones((B, T_k), bool)
        for row in tokens:
            n = int(rng.integers(0, T_k))
            row[[np.arange(n), T_k - 1 - np.arange(n), rng.permutation(T_k)[:n]][rng.integers(0, 3)]] = False
        arrays["key_mask"] = tokens[0] if B == 1 and chance(0.5) else tokens
    if chance(0.5):
        shape = [1 if chance(0.25) else size for size in (B, H, T_q, T_k)][4 - int(rng.integers(2, 5)):]
        M = cast(rng.normal(size=shape) * 2)
        some = rng.random(shape) < 0.3
        arrays["mask"] = [M, some, np.where(some, cast(-np.inf), M), np.where(some, np.finfo(dtype).min, M)][rng.integers(0, 4)]
    if chance(0.3):
        arrays["sinks"] = cast(rng.normal(size=H) * 2)
    if chance(0.3):
        shape = [(-1,), (1, 1, -1), (kv, -1)][rng.integers(0, 3)]
        arrays["bias_k"], arrays["bias_v"] = (cast(rng.normal(size=kv * d)).reshape(shape) for d in (d_k, d_v))
    for name in ("q_norm", "k_norm"):
        if chance(0.3):
            arrays[name] = cast(rng.normal(size=d_k))
            told["norm_eps"] = float(rng.choice([1e-5, 0.1]))

    changes = {name: a if a.dtype == bool else a.astype(float) for name, a in arrays.items()}
    for name, rank in (("key_mask", 2), ("mask", 4)):
        if name in changes and changes[name].ndim == rank:
            changes[name] = changes[name][b if len(changes[name]) > 1 else 0]
    A, O = attention(*((x[b] if lead else x).astype(float) for x in (Q, K, V)), **told, **changes)

    # Padding and empty slots may hold anything.
    tokens = changes.get("key_mask", np.ones(T_k, bool))
    for x in (K, V):
        (x[b] if lead else x)[:, ~tokens | (np.arange(T_k) >= told.get("kv_length", T_k))] = rng.choice([np.nan, 0, np.inf])
    positions = np.arange(T_q) + told.get("offset", 0)
    padding = np.array([0 <= p < T_k and not tokens[p] for p in positions])
    name, expected = [("A", A.astype("f4" if dtype == "f2" else dtype)), ("O_concat", cast(concat(O))), ("O_concat", cast(O))][rng.integers(0, 3)]
    size = expected.size // T_q * int(sum(~padding))
    expected[..., padding, :] = rng.choice([np.nan, 0, 5])
    if B > 1 and chance(0.5):  # [T, H·d_v] has the sizes of heads only together
        expected = np.array([expected if i == b else expected + 1 for i in range(B)])
    np.savez(f"{number}-right.npz", **{name: expected})

    arrays.update({"Q": Q, "K": K, "V": V})
    finite = all(np.isfinite(a).all() for a in arrays.values())
    kind = str(rng.choice(["npz", "safetensors", "json"] if finite else ["npz", "safetensors"]))
    by_option = [name for name in told if chance(0.5) or (name == "rope_pairs" and kind == "safetensors")]
    write(f"{number}.{kind}", {**arrays, **{name: told[name] for name in told if name not in by_option}})
    given = ",".join(f"{name}={str(told[name]).lower()}" for name in by_option)
    return {"arguments": f"--input {number}.{kind} --expect {number}-right.npz" + (f" --batch {b + 1}" if B > 1 else "")
            + (f" --set {given}" if given else ""), "size": size}


if __name__ == "__main__":
    if sys.argv[1] == "operator":
        cases = list(operator_vectors())
    else:
        generator = np.random.default_rng(int(sys.argv[3]) if len(sys.argv) > 3 else 2)
        cases = [random_layer(generator, number) for number in range(int(sys.argv[2]))]
    with open("cases.json", "w") as file:
        json.dump(cases, file)
