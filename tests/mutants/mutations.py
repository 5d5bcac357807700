"""The faults that the tests have to see. `make mutants` makes each of them, one at a time.

To add one, add a Mutation: what it breaks, the file, a text that stands there once, and what takes its
place. A header that many files include makes a mutant slow; the file that uses it mostly serves as well.
"""

from typing import NamedTuple


class Mutation(NamedTuple):
    breaks: str
    file: str
    text: str
    becomes: str


MUTATIONS = [
    # The equations: src/attention
    Mutation(
        "mask off by one, weights: a query sees the key after it",
        "src/attention/kernel/rows-inl.h",
        "const KeyRange seen = head.range(tile.first + r);\n      if (has_extra) row",
        "const KeyRange seen = head.range(tile.first + std::min(r + 1, tile.n - 1));\n      if (has_extra) row",
    ),
    Mutation(
        "mask off by one, outputs: a query sees the key after it",
        "src/attention/kernel/softmax-inl.h",
        "std::min(j - below, kTile)",
        "std::min(j - below - 1, kTile)",
    ),
    Mutation(
        "mask off by one, outputs: a query does not see its own key",
        "src/attention/kernel/rows-inl.h",
        "mask_above_diagonal(tile.first + head.mask.offset - key0, keys, x);",
        "mask_above_diagonal(tile.first + head.mask.offset - key0 - (tile.first > 0 ? 1 : 0), keys, x);",
    ),
    Mutation(
        "scores over sqrt(d_model), the lesson's being 2 d_k",
        "src/attention/row_blocks.cc",
        "std::sqrt(static_cast<long double>(d_k))",
        "std::sqrt(static_cast<long double>(2 * d_k))",
    ),
    Mutation(
        "scores over sqrt(d_v) where outputs are made",
        "src/attention/kernel/rows-inl.h",
        "  const Exp exp(head.score_scale);\n  const Index end = first + n;",
        "  const Exp exp(kValues ? 1.0L / head.d_v : head.score_scale);\n  const Index end = first + n;",
    ),
    Mutation(
        "scores not scaled at all",
        "src/attention/row_blocks.cc",
        "std::sqrt(static_cast<long double>(d_k))",
        "(static_cast<long double>(d_k) > 0 ? 1.0L : 1.0L)",
    ),
    Mutation(
        "softmax by column",
        "src/attention/causal_attention.cc",
        "                            rows_from(A, first, task.first));\n  });\n}",
        "                            rows_from(A, first, task.first));\n  });\n"
        "  A.array().rowwise() /= A.colwise().sum().array().cwiseMax(1e-300).eval();\n}",
    ),
    Mutation(
        "one instruction set wrong by 1e-12 in its exponential: SSE4, the last that is chosen",
        "src/attention/kernel/exp2-inl.h",
        "hn::MulAdd(p, r, hn::Set(d, 1.0))",
        "hn::MulAdd(p, r, hn::Set(d, HWY_TARGET == HWY_SSE4 ? 1.0 + 0x1p-40 : 1.0))",
    ),
    Mutation(
        "one instruction set wrong in the last column of an odd width: AVX2",
        "src/attention/kernel/rows-inl.h",
        "    add_products(e + all_begin * kTile,",
        "    if (HWY_TARGET != HWY_AVX2 || kWidth > 1) add_products(e + all_begin * kTile,",
    ),
    Mutation(
        "heads merged in the wrong order in Concat",
        "src/attention/multi_head.cc",
        "+ column[task.head];",
        "+ column[heads.size() - 1 - task.head];",
    ),
    Mutation(
        "heads merged in the wrong order in Concat, weights as the file has them",
        "src/attention/layer.cc",
        "    column += d_v;",
        "    column += d_v;\n    if (column == O_concat.cols()) O_concat.rowwise().reverseInPlace();",
    ),
    Mutation(
        "W_O transposed",
        "src/commands/pipeline.cc",
        "attention::project(O_concat.read(first, rows.rows()), W_O, rows);",
        "attention::project(O_concat.read(first, rows.rows()), Matrix(W_O.transpose()), rows);",
    ),
    # Attention as models have it
    Mutation(
        "a window one key too wide",
        "src/input/layers/modifiers.cc",
        "layer.shift - *window + 1;",
        "layer.shift - *window;",
    ),
    Mutation(
        "the first empty slot of a cache seen",
        "src/input/layers/modifiers.cc",
        "mask.length = *length;",
        "mask.length = *length + 1;",
    ),
    Mutation(
        "padding seen",
        "src/input/layers/modifiers.cc",
        "if (before->back() < T_k) layer.rules",
        "if (before->back() < 0) layer.rules",
    ),
    Mutation(
        "softcap left out",
        "src/attention/kernel/rows-inl.h",
        "if (head.softcap > 0.0) limit(head.softcap, keys, x);",
        "",
    ),
    Mutation(
        "a mask added before the scale",
        "src/attention/row_blocks.cc",
        "rules_.scale || rules_.softcap || head.M || head.sink;",
        "rules_.scale || rules_.softcap || head.sink;",
    ),
    Mutation(
        "a sink left out of the outputs",
        "src/attention/kernel/rows-inl.h",
        "start(*tile.softmax, kEnergy ? nullptr : head.sink);",
        "start(*tile.softmax, nullptr);",
    ),
    Mutation(
        "a sink counted as a key by the entropy",
        "src/attention/kernel/rows-inl.h",
        "start(*tile.softmax, kEnergy ? nullptr : head.sink);",
        "start(*tile.softmax, head.sink);",
    ),
    Mutation(
        "a bias key hidden by the mask",
        "src/input/layers/modifiers.cc",
        "layer.rules.mask.extra = layer.T_k++;",
        "++layer.T_k;",
    ),
    Mutation(
        "bias keys of K/V heads tiled instead of repeated",
        "src/input/layers/modifiers.cc",
        "static_cast<Index>(h) * layer.kv_heads / layer.H();",
        "static_cast<Index>(h) % layer.kv_heads;",
    ),
    Mutation(
        "rotary pairs swapped",
        "src/attention/rotary.cc",
        "rotary.pairs == RotaryPairs::kInterleaved;",
        "rotary.pairs != RotaryPairs::kInterleaved;",
    ),
    Mutation(
        "rotary positions turned the other way",
        "src/attention/rotary.cc",
        "(back ? -1.0 : 1.0)",
        "(back ? 1.0 : -1.0)",
    ),
    Mutation(
        "rotary positions of queries without their offset",
        "src/input/layers/modifiers.cc",
        "attention::rotated(Q, layer.shift, rotary)",
        "attention::rotated(Q, 0, rotary)",
    ),
    Mutation(
        "rope_dims ignored",
        "src/input/layers/modifiers.cc",
        'settings.whole("rope_dims").value_or(d_k)};',
        "d_k};",
    ),
    Mutation(
        "a norm without its epsilon",
        "src/attention/rotary.cc",
        "std::sqrt(mean_square + epsilon)",
        "std::sqrt(mean_square + 0.0 * epsilon)",
    ),
    Mutation(
        "queries of another sequence taken for padding",
        "src/attention/layer.cc",
        "return placed && position >= 0",
        "return position >= 0",
    ),
    # What is measured: src/analysis
    Mutation(
        "entropy in nats, of weights",
        "src/analysis/entropy.cc",
        "bits -= x * std::log2(x);",
        "bits -= x * std::log(x);",
    ),
    Mutation(
        "entropy in nats, of scores",
        "src/analysis/entropy.cc",
        "std::log2(Z_E(r, 0)) + Z_E(r, 1) * std::numbers::log2e;",
        "std::log(Z_E(r, 0)) + Z_E(r, 1);",
    ),
    Mutation(
        "rank tolerance without the dimension",
        "src/analysis/rank.cc",
        "const double tolerance = longest * s[0] *",
        "const double tolerance = (longest > 0.0 ? 1.0 : 0.0) * s[0] *",
    ),
    Mutation(
        "rank tolerance absolute",
        "src/analysis/rank.cc",
        "const double tolerance = longest * s[0] *",
        "const double tolerance = longest *",
    ),
    Mutation(
        "a bias per head",
        "src/analysis/counts.cc",
        'sum("biases", {widths, sizes.d_model})',
        'sum("biases", {widths, sizes.H * sizes.d_model})',
    ),
    Mutation(
        "K/V heads counted as if not shared",
        "src/analysis/counts.cc",
        '{sizes.kv_heads, sum("key/value channels", {sizes.d_k, d_v})}',
        '{sizes.H, sum("key/value channels", {sizes.d_k, d_v})}',
    ),
    Mutation(
        "the filter bank forgets the value bias",
        "src/analysis/filter_bank.cc",
        "if (head.b_V.size() == 0) return;",
        "if (head.b_V.size() >= 0) return;",
    ),
    Mutation(
        "a second block of the filter bank's output read from row 0",
        "src/analysis/filter_bank.cc",
        "    O(first, rows);",
        "    O(0, rows);",
    ),
    Mutation(
        "score FLOPs of H heads as wide as the model",
        "src/analysis/counts.cc",
        "{H, 2, T, T, d / H}",
        "{H, 2, T, T, d}",
    ),
    Mutation(
        "causal FLOPs counted as multiply-adds",
        "src/analysis/counts.cc",
        "{2, pairs, H, d / H}",
        "{pairs, H, d / H}",
    ),
    Mutation(
        "the unit delay looks at the query's own key",
        "src/analysis/textbook_filters.cc",
        "std::max<Index>(first, position - 1)",
        "std::max<Index>(first, position)",
    ),
    Mutation(
        "the divergence of two rows less the sum of their entropies, not the mean",
        "src/analysis/entropy.cc",
        "mixed - 0.5 * (bits_p + bits_q)",
        "mixed - (bits_p + bits_q)",
    ),
    Mutation(
        "rows that see no key count in the survey's means",
        "src/analysis/survey.cc",
        "divide(sums, std::max(counted, 1.0));",
        "divide(sums, static_cast<double>(layer.T_q));",
    ),
    # A person's own heads: src/input
    Mutation(
        "a causal mask lined up bottom-right shifted the other way",
        "src/input/layers/modifiers.cc",
        "Align::kBottomRight ? T_k - layer.T_q : 0;",
        "Align::kBottomRight ? layer.T_q - T_k : 0;",
    ),
    Mutation(
        "weights that do not sum to 1 allowed",
        "src/input/layers/read_layer.cc",
        "if (!less && !(std::abs(sum - 1.0) <= tolerance))",
        "if (!less && !(std::abs(sum - 1.0) <= 1e4 * tolerance))",
    ),
    Mutation(
        "weights where no key is seen allowed",
        "src/input/layers/read_layer.cc",
        "if (visible == 0 && sum != 0.0)",
        "if (visible == 0 && sum < 0.0)",
    ),
    Mutation(
        "a bias read without asking whether there is the memory",
        "src/input/layers/stack.cc",
        "  require_memory(place_of(file.name(), array.name),",
        "  if (array.shape.empty()) require_memory(place_of(file.name(), array.name),",
    ),
    Mutation(
        "a word that has nan in it taken for a number that is not finite",
        "src/input/formats/strict_json.cc",
        "return std::find(kWords.begin(), kWords.end(), word) != kWords.end();",
        "return std::any_of(kWords.begin(), kWords.end(),\n"
        "                     [&](std::string_view w) { return word.find(w) != std::string_view::npos; });",
    ),
    Mutation(
        "an array that changes attention, by its name, passed over",
        "src/input/layers/names.cc",
        "if (names.scores && known != nullptr)",
        "if (names.scores && known == &kChanging.front())",
    ),
    Mutation(
        "K/V heads tiled instead of repeated, packed projections",
        "src/input/layers/packed.cc",
        "const Index g = h * layer.kv_heads / H;",
        "const Index g = h % layer.kv_heads;",
    ),
    Mutation(
        "K heads tiled instead of repeated",
        "src/input/layers/read_heads.cc",
        "h * K.heads() / Q.heads()",
        "h % K.heads()",
    ),
    Mutation(
        "V heads tiled instead of repeated",
        "src/input/layers/read_heads.cc",
        "h * V.heads() / H",
        "h % V.heads()",
    ),
    Mutation(
        "value bias forgotten",
        "src/input/layers/packed.cc",
        "projected(layer.X, p.W_V, p.b_V)",
        "projected(layer.X, p.W_V, {})",
    ),
    Mutation(
        "PyTorch's W_O not transposed",
        "src/input/layers/packed.cc",
        "  layer.W_O.transposeInPlace();\n",
        "",
    ),
    Mutation(
        "safetensors: offsets beyond the data unchecked",
        "src/input/formats/safetensors_file.cc",
        "if (tensor.end > data_size)",
        "if (tensor.end > data_size && tensor.end == 0)",
    ),
    Mutation(
        "safetensors: overlaps and holes unchecked",
        "src/input/formats/safetensors_file.cc",
        "if (tensor->begin != covered)",
        "if (tensor->begin != covered && data_size == 0)",
    ),
    Mutation(
        "safetensors: size against dtype and shape unchecked",
        "src/input/formats/safetensors_file.cc",
        "if (tensor.end - tensor.begin != size)",
        "if (tensor.end - tensor.begin != size && size == 0)",
    ),
    Mutation(
        "Fortran order ignored, .npy",
        "src/input/formats/npy_file.cc",
        "if (!header_.column_major) return",
        "if (!header_.column_major || number == 0) return",
    ),
    Mutation(
        "Fortran order ignored, .npz",
        "src/input/formats/npz_file.cc",
        "if (header.column_major) return",
        "if (header.column_major && first < 0) return",
    ),
    Mutation(
        "zip: checksum unchecked",
        "src/input/formats/zip_archive.cc",
        "if (crc_ != entry_.crc) refuse",
        "if (crc_ != entry_.crc && crc_ == 0) refuse",
    ),
    Mutation(
        "zip: entries within one another allowed",
        "src/input/formats/zip_archive.cc",
        "    next = entry->offset;\n",
        "",
    ),
    Mutation(
        "a file's NaN allowed",
        "src/input/formats/array_file.cc",
        "return !std::isfinite(value);",
        "return std::isinf(value);",
    ),
    # The operating system: src/platform
    Mutation(
        "files written straight to their target, to be seen half done",
        "src/platform/files.cc",
        ": name_(temporary_name(target)), file_(::mkstemp(name_.data()))",
        ": name_(temporary_name(target).empty() ? \"\" : target.string()), file_([&] {\n"
        "        std::FILE* const file = std::fopen(name_.c_str(), \"w\");\n"
        "        return file != nullptr ? ::fileno(file) : -1;\n"
        "      }())",
    ),
    # What commands make of it: src/commands
    Mutation(
        "every head's output is the first one's",
        "src/commands/pipeline.cc",
        "attention::head_output(*layer, head, first, O);",
        "attention::head_output(*layer, layer->heads.front(), first, O);",
    ),
    Mutation(
        "inspect: the runner-up is the third",
        "src/commands/inspect.cc",
        "order[0], order[1], {}, {}}",
        "order[0], order[2], {}, {}}",
    ),
    Mutation(
        "inspect: the runner-up's distance is the nearest one's",
        "src/commands/inspect.cc",
        '{"runner_up_distance", {finding.survey.distances.at(finding.runner_up)}}',
        '{"runner_up_distance", {finding.survey.distances.at(finding.nearest)}}',
    ),
    Mutation(
        "compare: --tolerance ignored",
        "src/commands/compare.cc",
        "if (options.tolerance) return {*options.tolerance, 0.0, precision};",
        "if (options.tolerance) return {1e-9, 0.0, precision};",
    ),
    Mutation(
        "compare: always ok",
        "src/commands/compare.cc",
        "const bool ok = found.mismatched == 0;",
        "const bool ok = found.size > 0;",
    ),
    Mutation(
        "compare: errors measured against the largest of all rows",
        "src/commands/compare.cc",
        "tolerance.relative * row.cwiseAbs().maxCoeff();",
        "tolerance.relative * part.read(0, part.rows()).cwiseAbs().maxCoeff();",
    ),
    Mutation(
        "compare: a NaN agrees with everything",
        "src/commands/compare.cc",
        "if (!(apart <= most)) ++found.mismatched;",
        "if (apart > most) ++found.mismatched;",
    ),
    Mutation(
        "compare: queries that are padding count",
        "src/commands/compare.cc",
        "if (!go_on || layer.is_padding(r)) return;",
        "if (!go_on) return;",
    ),
    # How it is shown: src/render
    Mutation(
        "masked cells drawn as 0, SVG",
        "src/render/svg/heatmap.cc",
        "heatmap.cells.masked(r, c) ? kMasked : heatmap",
        "heatmap.colors_only && heatmap.cells.masked(r, c) ? kMasked : heatmap",
    ),
    Mutation(
        "masked cells drawn as 0, SVG of many heads",
        "src/render/svg/heatmap.cc",
        "    if (grid.heatmap.cells.masked(r, c)) return;\n",
        "",
    ),
    Mutation(
        "masked cells drawn as 0, terminal",
        "src/render/terminal/heatmap.cc",
        "if (cells.masked(r, c)) {",
        "if (cells.masked(r, c) && cell == 0) {",
    ),
    Mutation(
        "JSON with NaN",
        "src/render/text/json.cc",
        "if (!std::isfinite(number))",
        "if (std::isinf(number))",
    ),
    Mutation(
        "text with NaN",
        "src/text/number.cc",
        "if (!std::isfinite(value)) throw",
        "if (std::isinf(value)) throw",
    ),
    # Goldens that someone rewrote without reading what changed
    Mutation(
        "golden: a digit of a text",
        "golden/09-multi-head-attention/concat/default.txt",
        "0.998277",
        "0.998278",
    ),
    Mutation(
        "golden: the eleventh digit of JSON",
        "golden/09-multi-head-attention/entropy/json-head1.txt",
        "0.4909281462",
        "0.4909281463",
    ),
    Mutation(
        "golden: a colour of a figure",
        "golden/09-multi-head-attention/figures/multi_head_weights.svg",
        'fill="#1f968b"',
        'fill="#1f968c"',
    ),
    Mutation(
        "golden: a number of the page",
        "golden/09-multi-head-attention/lesson.html",
        "0.89295819",
        "0.89295811",
    ),
]
