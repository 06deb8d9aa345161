"""Runs PyTorch's encoder and optimiser and writes what they give beside this file.

Needs torch 1.13 or later; made with torch 1.13.0a0 (Debian's python3-torch). Computed in float64
from parameters that float32 holds exactly, on one thread.

    python3 tests/golden/encoder/make_encoder_golden.py
"""

import json
import pathlib

import torch
from torch import nn

IGNORED = -100
folder = pathlib.Path(__file__).parent


class Encoder(nn.Module):
    """Token and position embeddings, pre-norm layers, and logits by the transposed token embedding."""

    def __init__(self, vocab_size, max_length, embed_dim, num_heads, num_layers, feed_forward_dim):
        super().__init__()
        self.token_embedding = nn.Embedding(vocab_size, embed_dim)
        self.position_embedding = nn.Embedding(max_length, embed_dim)
        layer = nn.TransformerEncoderLayer(
            embed_dim, num_heads, feed_forward_dim, dropout=0, activation="gelu", norm_first=True, batch_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, num_layers, norm=nn.LayerNorm(embed_dim))
        self.output_bias = nn.Parameter(torch.zeros(vocab_size))

    def forward(self, tokens, key_padding_mask=None):
        h = self.token_embedding(tokens) + self.position_embedding(torch.arange(tokens.shape[1]))
        ignored = None if key_padding_mask is None else ~key_padding_mask
        h = self.encoder(h, src_key_padding_mask=ignored)
        return h @ self.token_embedding.weight.T + self.output_bias


def our_name(name):
    return name.removeprefix("encoder.").replace("output_bias", "output.bias")


def decays(name):
    return name.endswith("weight") and "norm" not in name and "position" not in name


def record_attention(model):
    """Keeps the weights of each layer's attention and what it takes."""
    seen = []
    for layer in model.encoder.layers:
        original = layer.self_attn.forward

        def forward(query, key, value, original=original, **options):
            options |= {"need_weights": True, "average_attn_weights": False}
            output, weights = original(query, key, value, **options)
            seen.append((query.detach().clone(), weights.detach().clone()))
            return output, weights

        layer.self_attn.forward = forward
    return seen


def nested(tensor):
    """Lists of numbers with 9 digits, which tell float32 numbers apart."""
    return json.loads(json.dumps(tensor.detach().tolist()), parse_float=lambda text: float(f"{float(text):.9g}"))


def named(model, value_of):
    return {our_name(name): nested(value_of(p)) for name, p in model.named_parameters()}


def loss_of(model, tokens, targets, mask):
    logits = model(tokens, mask)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=IGNORED)
    return logits, loss


def run_encoder(name, sizes, batch, length, lengths, options, seed):
    torch.manual_seed(seed)
    model = Encoder(**sizes)
    with torch.no_grad():
        for parameter in model.parameters():
            centre = 1.0 if parameter.dim() == 1 and parameter.mean() == 1 else 0.0
            parameter.copy_(centre + 0.3 * torch.randn_like(parameter))
    model.double().train()
    seen = record_attention(model)

    tokens = torch.randint(0, sizes["vocab_size"], (batch, length))
    mask = None if lengths is None else torch.arange(length) < torch.tensor(lengths)[:, None]
    # Every other target is predicted already.
    likeliest = model(tokens, mask).argmax(-1)
    drawn = torch.where(torch.rand(batch, length) < 0.5, likeliest, torch.randint_like(tokens, sizes["vocab_size"]))
    targets = torch.where(torch.rand(batch, length) < 0.5, drawn, IGNORED)
    if mask is not None:
        targets[~mask] = IGNORED
    counted = targets != IGNORED
    seen.clear()

    before = named(model, lambda p: p)
    logits, loss = loss_of(model, tokens, targets, mask)
    loss.backward()
    golden = {
        "sizes": sizes,
        "tokens": tokens.tolist(),
        "targets": targets.tolist(),
        "key_padding_mask": None if mask is None else mask.tolist(),
        "parameters": before,
        "logits": nested(logits),
        "layer_inputs": [nested(query) for query, _ in seen],
        "weights": [nested(weights) for _, weights in seen],
        "loss": loss.item(),
        "correct": int(((logits.argmax(-1) == targets) & counted).sum()),
        "count": int(counted.sum()),
        "gradients": named(model, lambda p: p.grad),
    }

    groups = [
        {"params": [p for n, p in model.named_parameters() if decays(our_name(n)) == decayed], "weight_decay": decay}
        for decayed, decay in ((True, options["weight_decay"]), (False, 0.0))
    ]
    adamw = torch.optim.AdamW(groups, lr=options["lr"], betas=options["betas"], eps=options["eps"])
    steps = []
    for _ in range(3):
        adamw.zero_grad()
        _, loss = loss_of(model, tokens, targets, mask)
        loss.backward()
        norm = nn.utils.clip_grad_norm_(model.parameters(), options["max_grad_norm"])
        adamw.step()
        steps.append({"loss": loss.item(), "grad_norm": norm.item()})
    golden |= {"options": options, "steps": steps, "parameters_after": named(model, lambda p: p)}
    write(name, golden)


def run_adamw(name, seed):
    """torch.optim.AdamW itself, on gradients that are given."""
    torch.manual_seed(seed)
    options = {"lr": 0.003, "betas": [0.9, 0.999], "eps": 1e-8, "weight_decay": 0.1}
    parameters = torch.randn(7).double().requires_grad_()
    golden = {"options": options, "parameters": nested(parameters), "steps": []}
    adamw = torch.optim.AdamW([parameters], **options)
    for _ in range(6):
        parameters.grad = (0.1 * torch.randn(7)).double()
        adamw.step()
        state = adamw.state[parameters]
        golden["steps"].append(
            {
                "gradients": nested(parameters.grad),
                "parameters": nested(parameters),
                "exp_avg": nested(state["exp_avg"]),
                "exp_avg_sq": nested(state["exp_avg_sq"]),
            }
        )
    write(name, golden)


def write(name, golden):
    (folder / f"{name}.json").write_text(json.dumps(golden, separators=(",", ":")) + "\n")


torch.set_num_threads(1)
# eps is large where steps are compared: the gradient of the keys' bias is 0 but for rounding, and a step divides it
# by its own size.
run_encoder(
    "padded",
    {"vocab_size": 13, "max_length": 6, "embed_dim": 8, "num_heads": 2, "num_layers": 2, "feed_forward_dim": 12},
    batch=3,
    length=5,
    lengths=[5, 3, 4],
    options={"lr": 0.01, "betas": [0.9, 0.999], "eps": 1e-3, "weight_decay": 0.1, "max_grad_norm": 0.5},
    seed=1,
)
run_encoder(
    "whole",
    {"vocab_size": 11, "max_length": 4, "embed_dim": 6, "num_heads": 3, "num_layers": 3, "feed_forward_dim": 5},
    batch=2,
    length=4,
    lengths=None,
    options={"lr": 0.02, "betas": [0.8, 0.99], "eps": 1e-3, "weight_decay": 0.01, "max_grad_norm": 1000.0},
    seed=6,
)
run_adamw("adamw", seed=3)
