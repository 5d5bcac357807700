#!/usr/bin/env python3
"""`mha` beside NumPy, in double and in turns, since a shared machine's speed drifts: medians and ratios.

usage: beside_numpy.py [T d_model H [rounds]]     1024 512 8 5; MHA names the program (build/mha)

Attention as first written (all heads, T x T, a mask) and in blocks of 256 rows that skip the keys above the
diagonal; row entropies of a head of width 2, the same two ways; and a product of two 2048 x 2048 matrices, for
what NumPy's BLAS reaches. What would need matrices of more than 2 GiB is not run. OpenBLAS before 0.3.22 does
not know newer processors: OPENBLAS_CORETYPE=SKYLAKEX tells it about AVX-512.
"""
import json
import os
import subprocess
import sys
import time

import numpy as np

T, d_model, H, rounds = (list(map(int, sys.argv[1:])) + [1024, 512, 8, 5][len(sys.argv) - 1:])
d_k, rows = d_model // H, 256
mha = os.environ.get("MHA", "build/mha")
random = np.random.default_rng(1)
Q, K, V = (random.standard_normal((H, T, d_k)) for _ in range(3))
q, k = (random.standard_normal((T, 2)) for _ in range(2))
wide = random.standard_normal((2048, 2048))
above = np.triu(np.full((rows, rows), -np.inf), 1)


def scores_by_blocks(q, k):
    for first in range(0, T, rows):
        end = min(first + rows, T)
        s = (q[first:end] / np.sqrt(q.shape[1])) @ k[:end].T
        s[:, first:] += above[:end - first, :end - first]
        s -= s.max(-1, keepdims=True)
        yield first, end, s


def attention_plain():
    s = Q @ K.transpose(0, 2, 1) / np.sqrt(d_k)
    s = np.where(np.triu(np.ones((T, T), bool), 1), -np.inf, s)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ V


def attention_by_blocks():
    O = np.empty((H, T, d_k))
    for h in range(H):
        for first, end, s in scores_by_blocks(Q[h], K[h]):
            np.exp(s, out=s)
            O[h, first:end] = s @ V[h, :end] / s.sum(-1, keepdims=True)
    return O


def entropies_plain():
    s = q @ k.T / np.sqrt(2)
    s = np.where(np.triu(np.ones((T, T), bool), 1), -np.inf, s)
    e = np.exp(s - s.max(-1, keepdims=True))
    p = e / e.sum(-1, keepdims=True)
    return -np.sum(p * np.log2(np.where(p > 0, p, 1)), -1)


def entropies_by_blocks():
    bits = np.empty(T)
    for first, end, s in scores_by_blocks(q, k):
        e = np.exp(s)
        Z = e.sum(-1)
        s[e == 0] = 0
        bits[first:end] = np.log2(Z) - (e * s).sum(-1) / (Z * np.log(2))
    return bits


def mha_bench():
    command = [mha, "bench", "--T", str(T), "--d-model", str(d_model), "--H", str(H), "--repeat", "3"]
    run = json.loads(subprocess.check_output(command + ["--format", "json"]))["results"]["runs"][0]
    rates.append(run["gflops"])
    return run["median_ms"]


def mha_entropy():
    """The whole process, start and JSON included."""
    command = [mha, "entropy", "--T", str(T), "--heads", "2", "--format", "json"]
    return ms(lambda: subprocess.check_output(command))


def ms(work):
    start = time.perf_counter()
    work()
    return 1e3 * (time.perf_counter() - start)


def compare(what, ours, others):
    for _, work in others:
        work()  # warm
    times = [[ours()] + [ms(work) for _, work in others] for _ in range(rounds)]
    print(f"{what}: mha {np.median([t[0] for t in times]):.1f} ms")
    for i, (name, _) in enumerate(others, 1):
        ratios = sorted(t[i] / t[0] for t in times)
        print(f"  NumPy {name} / mha: {np.median(ratios):.1f}  ({ratios[0]:.1f} to {ratios[-1]:.1f})")


def ways(by_blocks, plain, heads):
    fits = 8 * heads * T * T <= 2**31
    return [("in row blocks", by_blocks)] + ([("as first written", plain)] if fits else [])


rates = []
print(f"T = {T}, d_model = {d_model}, H = {H}, {rounds} rounds")
compare("attention", mha_bench, ways(attention_by_blocks, attention_plain, H))
compare("row entropies", mha_entropy, ways(entropies_by_blocks, entropies_plain, 1))
ratios = []
for _ in range(rounds):
    mha_bench()
    product = 2 * 2048**3 / np.median([ms(lambda: wide @ wide) for _ in range(5)]) * 1e-6
    ratios.append(rates[-1] / product)
print(f"GFLOP/s of mha / of NumPy's 2048 x 2048 product: {np.median(ratios):.2f}"
      f"  ({min(ratios):.2f} to {max(ratios):.2f}), the last {rates[-1]:.0f} / {product:.0f}")
