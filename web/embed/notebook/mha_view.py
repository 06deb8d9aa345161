"""Draws attention weights in notebooks and as single HTML files, from what Hugging Face's models return.

    tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])
    mha_view.heads(tokens, model(**inputs, output_attentions=True).attentions)

The model must compute its weights: `from_pretrained(name, attn_implementation="eager")`.

Python 3.9 or later, standard library only. Weights may be NumPy arrays, tensors (any dtype and device, with gradients or
without) or nested lists. In a figure each weight is the middle of its interval [k/60000, (k+1)/60000), 0 and 1 are exact:
it is wrong by at most 0.0000084, and to as many as four decimals its digits are those of the given number, rounded half up.
"""

import base64
import html
import json
import numbers
import sys
import zlib
from array import array
from pathlib import Path

__all__ = ["arcs", "heads", "matrix", "pair"]

# The views as base64 of zlib; `npm run build` writes them into the file that users download.
_BUNDLE = ""

_STEPS = 60000
# A row of bfloat16 weights, which have three digits, sums to 1 only about.
_TOLERANCE = 0.02
# Figures of more weights would have more than about 12 MB.
_MOST = 2**23

_EAGER = (
    'model is loaded with attn_implementation="eager" and called with output_attentions=True: fast attention '
    "(sdpa, flash_attention_2) computes no weights"
)


def heads(tokens, attentions, *, layer=0, head=0, batch=None, lang="en", title=None, height=None):
    """All heads of all layers as small matrices; a click opens one.

    tokens: list of L strings.
    attentions: `outputs.attentions`, a tuple with (B,H,L,L) of each layer; or (layers,H,L,L), (H,L,L) or (L,L). Weights are
        finite and not negative, and each row sums to 1, or to 0 where a mask hides all keys.
    layer, head: what is chosen at first, from 0. Readers see numbers from 1.
    batch: which text of the batch, from 0; needed if there is more than one. With it, (B,H,L,L) is one layer.
    lang: "en" or "ko", the language of the figure's own words.
    title: a line above the figure, plain text.
    height: in pixels, with a scroll bar; by default the figure is as high as its content.

    Raises ValueError or TypeError that names the argument, what it must be and what it is.
    """
    return _square("mha-heads", tokens, attentions, layer, head, batch, lang, title, height)


def arcs(tokens, attentions, *, layer=0, head=0, batch=None, lang="en", title=None, height=None):
    """One head as arcs from each word to the words it attends to; arguments as for `heads`."""
    return _square("mha-arcs", tokens, attentions, layer, head, batch, lang, title, height)


def matrix(tokens, attentions, *, layer=0, head=0, batch=None, lang="en", title=None, height=None):
    """One head as a matrix with a row per query and a column per key; arguments as for `heads`."""
    return _square("mha-matrix", tokens, attentions, layer, head, batch, lang, title, height)


def pair(
    query_tokens, key_tokens, cross_attentions, *, view="matrix", layer=0, head=0, batch=None, lang="en", title=None, height=None
):
    """Heads between two texts: queries of one, keys of the other.

    query_tokens: list of L strings, for a decoder's cross-attention the tokens it has written.
    key_tokens: list of S strings, the encoder's tokens.
    cross_attentions: `outputs.cross_attentions`, a tuple with (B,H,L,S) of each layer; or (layers,H,L,S), (H,L,S), (L,S).
    view: "matrix" (rows are queries, columns are keys) or "arcs" for one head, "heads" for all.

    Other arguments and errors as for `heads`.
    """
    tag = {"matrix": "mha-matrix", "arcs": "mha-arcs", "heads": "mha-heads"}.get(view)
    if tag is None:
        raise ValueError(f'view must be "matrix", "arcs" or "heads", got {view!r}')
    layers = _layers("cross_attentions", cross_attentions, batch)
    for name, words, axis, what in (
        ("query_tokens", query_tokens, 2, "row"),
        ("key_tokens", key_tokens, 3, "column"),
    ):
        _check_tokens(name, words, "cross_attentions", layers, axis, what)
    words = {"queryTokens": list(query_tokens), "keyTokens": list(key_tokens)}
    return Figure(tag, words, layers, layer, head, lang, title, height)


def _square(tag, tokens, attentions, layer, head, batch, lang, title, height):
    layers = _layers("attentions", attentions, batch)
    queries, keys = _shape(layers)[2:]
    if queries != keys:
        raise ValueError(
            f"attentions must have as many keys as queries (…, L, L), got {_shape(layers)}. For two texts use "
            "pair(query_tokens, key_tokens, cross_attentions)."
        )
    _check_tokens("tokens", tokens, "attentions", layers, 2, "row and column")
    return Figure(tag, {"tokens": list(tokens)}, layers, layer, head, lang, title, height)


def _type(value):
    return type(value).__name__


def _nested(value):
    """An array, a tensor or nested sequences as nested lists."""
    if hasattr(value, "detach"):
        # NumPy has no bfloat16, and no tensors with gradients or on another device.
        value = value.detach().float().cpu()
    elif not hasattr(value, "tolist") and hasattr(value, "numpy"):
        value = value.numpy()
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (list, tuple)):
        is_row = len(value) > 0 and isinstance(value[0], numbers.Number)
        return list(value) if is_row else [_nested(item) for item in value]
    return value


def _shape(value):
    """Lengths of nested lists along the first item of each."""
    shape = []
    while isinstance(value, list):
        shape.append(len(value))
        value = value[0] if value else None
    return tuple(shape)


def _layers(name, attentions, batch):
    """Checked weights as nested lists (layers,H,L,S)."""
    many = isinstance(attentions, (list, tuple))
    if attentions is None or (many and (len(attentions) == 0 or any(part is None for part in attentions))):
        got = f"a {_type(attentions)} with None" if many and len(attentions) > 0 else repr(attentions)
        raise ValueError(f"{name} must be attention weights, got {got}. A model gives them if the {_EAGER}.")
    if hasattr(attentions, "attentions"):
        raise ValueError(f"{name} must be attention weights, got {_type(attentions)}: give outputs.attentions of it.")
    nested = _nested(attentions)
    shape = _shape(nested)
    forms = "(layers, B, H, L, S), (layers, H, L, S), (H, L, S) or (L, S)"
    if not 2 <= len(shape) <= 5 or 0 in shape:
        got = f"the shape {shape}" if shape else f"{_type(attentions)}"
        hint = " generate() gives weights for each new token: call the model once with the whole text." if len(shape) > 5 else ""
        raise ValueError(f"{name} must be nested lists, an array, or a tuple of tensors, of shape {forms}, got {got}.{hint}")
    if len(shape) == 5:
        layers = [_of_batch(name, layer, batch) for layer in nested]
    elif len(shape) == 4:
        layers = nested if batch is None else [_of_batch(name, nested, batch)]
    else:
        if batch is not None:
            raise ValueError(f"batch must be None for {name} of shape {shape}, which has no batch, got {batch!r}")
        layers = [nested] if len(shape) == 3 else [[nested]]
    _check_weights(name, layers)
    return layers


def _of_batch(name, texts, batch):
    if batch is None:
        if len(texts) != 1:
            raise ValueError(f"batch must name one of the {len(texts)} texts in {name}, from 0, got None")
        batch = 0
    return texts[_index("batch", batch, len(texts), "text")]


def _index(name, value, count, what):
    if isinstance(value, bool) or not isinstance(value, numbers.Integral) or not 0 <= value < count:
        raise ValueError(f"{name} must be an integer from 0 to {count - 1} ({count} {what}{'s'[: count != 1]}), got {value!r}")
    return int(value)


def _check_weights(name, layers):
    _, count, queries, keys = shape = _shape(layers)
    total = len(layers) * count * queries * keys
    if total > _MOST:
        raise ValueError(
            f"{name} must have at most {_MOST:,} weights, got {total:,} of shape {shape}. Give fewer layers, such as "
            f"{name}[5:6], or fewer tokens."
        )
    for l, layer in enumerate(layers):
        if len(layer) != count:
            raise ValueError(f"{name} must have {count} heads in every layer, as in layer 0, got {len(layer)} in layer {l}")
        for h, head in enumerate(layer):
            lengths = {len(row) if isinstance(row, list) else _type(row) for row in head}
            if len(head) != queries or lengths != {keys}:
                raise ValueError(
                    f"{name} must be {queries} rows of {keys} numbers in every head, as in the first, got {len(head)} of "
                    f"{', '.join(str(length) for length in sorted(lengths, key=str))} in layer {l}, head {h}"
                )
            for q, row in enumerate(head):
                _check_row(name, row, f"layer {l}, head {h}, row {q}")


def _check_row(name, row, place):
    try:
        total, least = sum(row), min(row)
    except TypeError:
        wrong = next(value for value in row if not isinstance(value, numbers.Real))
        raise TypeError(f"{name} must be numbers, got {_type(wrong)} in {place}") from None
    if total != total or abs(total) == float("inf"):
        wrong = next(value for value in row if value != value or abs(value) == float("inf"))
        raise ValueError(f"{name} must be finite, got {wrong} in {place}")
    if least < 0:
        raise ValueError(f"{name} must be weights after softmax, not negative, got {least:.6g} in {place}")
    if total != 0 and abs(total - 1) > _TOLERANCE:
        raise ValueError(
            f"{name} must be weights after softmax, whose rows sum to 1, got {total:.6g} in {place}. Dropout is off after "
            f"model.eval(); of weights that you have cut or averaged, divide each row by its sum."
        )


def _check_tokens(name, tokens, weights, layers, axis, what):
    """Of an array of strings a list is made where it is used."""
    if isinstance(tokens, str) or not hasattr(tokens, "__len__"):
        raise TypeError(
            f"{name} must be a list of strings, got {_type(tokens)}; tokenizer.convert_ids_to_tokens(ids) gives one"
        )
    for index, token in enumerate(tokens):
        if not isinstance(token, str):
            raise TypeError(
                f"{name} must be strings, got {_type(token)} at {index}; tokenizer.convert_ids_to_tokens(ids) gives them"
            )
    shape = _shape(layers)
    if len(tokens) != shape[axis]:
        raise ValueError(
            f"{name} must have {shape[axis]} strings, one for each {what} of {weights} {shape}, got {len(tokens)}. Special "
            "and padding tokens count."
        )


def _coded(layers):
    """Weights (layers,H,L,S) as zlib of 16-bit numbers, all high bytes before all low bytes. 0 is the weight 0, else k + 1."""
    # 0.13445 * 60000 is less than 8067 in binary: what is that close to an end of its interval is at the end.
    near = 1e-9
    codes = array(
        "H", (int(w * _STEPS + near) + 1 if w else 0 for layer in layers for head in layer for row in head for w in row)
    )
    if sys.byteorder == "big":
        codes.byteswap()
    data = codes.tobytes()
    return zlib.compress(data[1::2] + data[::2], 9)


def _base64(data):
    return base64.b64encode(data).decode("ascii")


def _views():
    """The views as base64 of zlib: those in this file, else those that the build has left in dist/."""
    if _BUNDLE:
        return _BUNDLE
    file = Path(__file__).resolve().parents[3] / "dist" / "standalone-views.js"
    if not file.is_file():
        raise FileNotFoundError(
            f"mha_view.py must have the views inside, as dist/mha_view.py of the package has, or find them in {file}, got "
            "neither. Use that file, or write both by `npm run build`."
        )
    return _base64(zlib.compress(file.read_bytes(), 9))


_STRINGS = {
    "en": {
        "layer": "Layer",
        "head": "Head",
        "mha-heads": "Attention heads",
        "mha-arcs": "Attention as arcs",
        "mha-matrix": "Attention matrix",
        "place": "Layer {layer}, head {head}",
        "pairs": "largest weights between different tokens",
        "pairs of two": "largest weights",
        "columns": ("query", "key", "weight"),
        "trust": "The interactive figure appears here once scripts may run: in Jupyter, trust the notebook.",
        "failed": "The figure could not be drawn:",
    },
    "ko": {
        "layer": "층",
        "head": "헤드",
        "mha-heads": "어텐션 헤드",
        "mha-arcs": "어텐션 호",
        "mha-matrix": "어텐션 행렬",
        "place": "{layer}층 헤드 {head}",
        "pairs": "서로 다른 토큰 사이에서 가장 큰 가중치",
        "pairs of two": "가장 큰 가중치",
        "columns": ("쿼리", "키", "가중치"),
        "trust": "스크립트를 실행할 수 있으면 여기에 그림이 나타나요. Jupyter에서는 노트북을 신뢰(Trust)해 주세요.",
        "failed": "그림을 그리지 못했어요:",
    },
}

# What frames and widgets share. `figure` is what `Figure._facts` returns.
_SHARED = """
/** Calls back with colours and font around an element, now and when they change. */
function watch(element, change) {
  const page = element.ownerDocument;
  const styleOf = (one) => page.defaultView.getComputedStyle(one);
  const pixel = (colour) => {
    const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d');
    context.fillStyle = colour;
    context.fillRect(0, 0, 1, 1);
    return context.getImageData(0, 0, 1, 1).data;
  };
  const read = () => {
    const { color, fontFamily } = styleOf(element);
    const [red, green, blue] = pixel(color);
    let paper = 'Canvas';
    for (let one = element; one !== null; one = one.parentElement) {
      const { backgroundColor } = styleOf(one);
      if (pixel(backgroundColor)[3] < 255) continue;
      paper = backgroundColor;
      break;
    }
    // Light text is on a dark page, whatever the page says of itself: few notebooks set a colour scheme.
    const colorScheme = 0.299 * red + 0.587 * green + 0.114 * blue > 127 ? 'dark' : 'light';
    change({ colorScheme, color, fontFamily, paper });
  };
  read();
  const observer = new MutationObserver(read);
  for (const one of [page.documentElement, page.body]) observer.observe(one, { attributes: true });
  observer.observe(page.head, { childList: true });
  // A theme's style sheet.
  page.head.addEventListener('load', read, true);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', read);
  // Of an element that is not in the page yet, nothing can be read.
  new ResizeObserver(read).observe(element);
}

const bytesOf = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

const inflate = async (bytes) =>
  new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'))).arrayBuffer();

/** Defines the views, as a script's text, because policies that allow this script may not allow blob: addresses. */
async function define(views, tag) {
  if (!customElements.get(tag)) {
    const script = document.createElement('script');
    script.type = 'module';
    script.textContent = new TextDecoder().decode(await inflate(bytesOf(views)));
    document.head.append(script);
  }
  await customElements.whenDefined(tag);
}

/** The weights of each layer (H,L,S). */
async function decode(bytes, [layers, ...shape], steps) {
  const planes = new Uint8Array(await inflate(bytes));
  const count = planes.length / 2;
  const weight = (code) => (code === 0 ? 0 : code === steps + 1 ? 1 : (code - 0.5) / steps);
  const all = Float32Array.from({ length: count }, (_, i) => weight(256 * planes[i] + planes[count + i]));
  const size = count / layers;
  return Array.from({ length: layers }, (_, i) => ({ data: all.subarray(i * size, (i + 1) * size), shape }));
}

/** Adds title, choices and views to a place. @returns the views' selection, once they have drawn */
async function draw(place, figure, bytes) {
  const { tag, words, shape, steps, layer, head, title, strings } = figure;
  const layers = await decode(bytes, shape, steps);
  const add = (name, className, parent = place) =>
    parent.appendChild(Object.assign(document.createElement(name), { className }));
  if (title !== null) add('p', 'mha-title').textContent = title;
  const view = document.createElement(tag);
  const { selection } = view;
  if (tag === 'mha-heads') {
    // The arcs of the chosen head, above all heads.
    const arcs = Object.assign(document.createElement('mha-arcs'), { embedded: true, selection });
    place.append(arcs, view);
  } else {
    const chooser = document.createElement('p');
    chooser.className = 'mha-choice';
    const choice = (name, count, choose) => {
      if (count === 1) return;
      const label = add('label', '', chooser);
      label.append(`${strings[name]} `);
      const select = add('select', '', label);
      for (let i = 0; i < count; i++) select.add(new Option(i + 1, i));
      select.onchange = () => choose(Number(select.value));
      selection.addEventListener('change', () => (select.value = selection[name]));
      select.value = figure[name];
    };
    choice('layer', shape[0], (chosen) => selection.chooseHead(selection.head, chosen));
    choice('head', shape[1], (chosen) => selection.chooseHead(chosen));
    if (chooser.hasChildNodes()) place.append(chooser);
    place.append(view);
  }
  const data = layers.length > 1 ? { ...words, attentions: layers } : { ...words, weights: layers[0] };
  const views = place.querySelectorAll('mha-arcs, mha-heads, mha-matrix');
  for (const one of views) Object.assign(one, { data, layer, head });
  for (const one of views) await one.updateComplete;
  if (!view.figure) throw new Error(view.shadowRoot.textContent.trim());
  return selection;
}
"""

_FRAME = """
const root = document.documentElement;
/** The iframe, where this document may reach it; null in a file and in the frame of another origin. */
const frame = (() => {
  try {
    return window.frameElement;
  } catch {
    return null;
  }
})();

if (frame) {
  watch(frame.parentElement, ({ colorScheme, color, fontFamily, paper }) => {
    // An iframe of another scheme than its document's is not transparent.
    frame.style.colorScheme = colorScheme;
    Object.assign(root.style, { colorScheme, color, fontFamily, background: 'transparent' });
    root.style.setProperty('--mha-paper', paper);
  });
}

async function run(figure, weights, views) {
  const place = document.querySelector('main');
  const fit = () => {
    // A figure in a hidden part of a page has no width.
    if (!frame || figure.height !== null || innerWidth === 0) return;
    root.style.overflowY = 'hidden';
    frame.style.height = `${Math.ceil(place.getBoundingClientRect().height)}px`;
  };
  try {
    await define(views, figure.tag);
    await draw(place, figure, bytesOf(weights));
    for (const around of [place, frame?.parentElement]) around?.querySelector('.mha-fallback')?.remove();
  } catch (error) {
    const line = place.appendChild(document.createElement('p'));
    line.setAttribute('role', 'alert');
    line.textContent = `${figure.strings.failed} ${error.message}`;
    // The weights as text stay above.
    if (frame) frame.style.gridArea = '2 / 1';
  }
  new ResizeObserver(fit).observe(place);
}
"""

# An anywidget module (anywidget.dev, "front-end module"): the trait `selection` and the reader's selection are the same.
_WIDGET = """
export default {
  async render({ model, el }) {
    watch(el, ({ colorScheme, paper }) => {
      el.style.colorScheme = colorScheme;
      el.style.setProperty('--mha-paper', paper);
    });
    const figure = model.get('_figure');
    el.lang = figure.lang;
    await define(VIEWS, figure.tag);
    const { buffer, byteOffset, byteLength } = model.get('_weights');
    const selection = await draw(el, figure, new Uint8Array(buffer, byteOffset, byteLength));
    let isReading = false;
    const read = () => {
      const { layer, head, query, key } = model.get('selection');
      // Each call fires a change; the first is half of what was chosen.
      isReading = true;
      selection.chooseHead(head, layer);
      selection.lock({ query, key });
      isReading = false;
    };
    const write = () => {
      if (isReading) return;
      const { layer, head, locked } = selection;
      const now = { layer, head, ...locked };
      const before = model.get('selection');
      // Pointing changes no choice.
      if (Object.keys(now).every((name) => now[name] === before[name])) return;
      model.set('selection', now);
      model.save_changes();
    };
    read();
    model.on('change:selection', read);
    selection.addEventListener('change', write);
    return () => model.off('change:selection', read);
  },
};
"""

_PARTS_STYLE = """
.mha-title { margin: 0 0 0.75rem; font-weight: 600; text-align: center; }
.mha-choice { margin: 0 0 0.75rem; display: flex; justify-content: center; gap: 1rem; font-size: 0.875rem; }
.mha-choice select { font: inherit; }
"""

_PAGE_STYLE = """
:root { color-scheme: light dark; font-family: system-ui, sans-serif; background: Canvas; }
body { margin: 0; }
main { display: flow-root; padding: 4px; }
.file main { max-width: 60rem; margin: 1.5rem auto; padding: 0 1rem; }
"""


class Figure:
    """A figure that notebooks show, with `save` for a file and `widget` for selections in Python. Made by `heads` and others."""

    def __init__(self, tag, words, layers, layer, head, lang, title, height):
        if lang not in _STRINGS:
            raise ValueError(f'lang must be "en" or "ko", got {lang!r}')
        if title is not None and not isinstance(title, str):
            raise TypeError(f"title must be a string or None, got {_type(title)}")
        if height is not None and (isinstance(height, bool) or not isinstance(height, numbers.Real) or not height > 0):
            raise ValueError(f"height must be a positive number of pixels or None, got {height!r}")
        self._tag, self._words, self._lang, self._title, self._height = tag, words, lang, title, height
        self._shape = _shape(layers)
        self._layer = _index("layer", layer, self._shape[0], "layer")
        self._head = _index("head", head, self._shape[1], "head")
        self._weights = _coded(layers)
        self._pairs = self._largest(layers[self._layer][self._head])

    @property
    def _strings(self):
        return _STRINGS[self._lang]

    @property
    def _is_of_two(self):
        return "queryTokens" in self._words

    @property
    def _name(self):
        """Names the figure where it is not seen."""
        return self._title or self._strings[self._tag]

    def _largest(self, head):
        """The five largest weights of a head (L,S) with their tokens; of one text those between different tokens."""
        queries = self._words.get("queryTokens") or self._words["tokens"]
        keys = self._words.get("keyTokens") or self._words["tokens"]
        found = [
            (weight, queries[q], keys[k])
            for q, row in enumerate(head)
            for k, weight in enumerate(row)
            if weight > 0 and (self._is_of_two or q != k)
        ]
        # Sorting is stable: of equal weights the first stay.
        return sorted(found, key=lambda item: -item[0])[:5]

    def _caption(self):
        strings = self._strings
        place = strings["place"].format(layer=self._layer + 1, head=self._head + 1)
        return f"{self._name}. {place}: {strings['pairs of two' if self._is_of_two else 'pairs']}"

    def __repr__(self):
        lines = [f"  {query} → {key}  {weight:.4f}" for weight, query, key in self._pairs]
        return "\n".join([self._caption(), *lines])

    def _fallback(self):
        """What stays where scripts and iframes are taken out: a table of the largest weights."""
        escape = html.escape
        columns = "".join(f"<th>{name}</th>" for name in self._strings["columns"])
        rows = "".join(
            f"<tr><td>{escape(query)}</td><td>{escape(key)}</td><td>{weight:.4f}</td></tr>"
            for weight, query, key in self._pairs
        )
        return (
            f'<div class="mha-fallback" lang="{self._lang}" style="grid-area:1/1"><p>{escape(self._caption())}</p>'
            f"<table><thead><tr>{columns}</tr></thead><tbody>{rows}</tbody></table><p>{self._strings['trust']}</p></div>"
        )

    def _facts(self):
        strings = self._strings
        return {
            "tag": self._tag,
            "lang": self._lang,
            "words": self._words,
            "shape": self._shape,
            "steps": _STEPS,
            "layer": self._layer,
            "head": self._head,
            "title": self._title,
            "height": self._height,
            "strings": {name: strings[name] for name in ("layer", "head", "failed")},
        }

    def _document(self, is_file):
        """The whole page: of the iframe, or of a file, which also has its text for readers without scripts."""
        # In a script, only `<` could end it.
        facts, weights, views = (
            json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")
            for value in (self._facts(), _base64(self._weights), _views())
        )
        return (
            f'<!doctype html>\n<html lang="{self._lang}"{" class=file" if is_file else ""}><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{html.escape(self._name)}</title><style>{_PAGE_STYLE}{_PARTS_STYLE}</style><script>{_SHARED}{_FRAME}</script></head>"
            f"<body><main>{self._fallback() if is_file else ''}</main>"
            f"<script>run({facts}, {weights}, {views});</script></body></html>\n"
        )

    def _repr_html_(self):
        height = self._height or self._likely_height()
        page = html.escape(self._document(is_file=False))
        return (
            f'<div style="display:grid">{self._fallback()}<iframe srcdoc="{page}" title="{html.escape(self._name)}" '
            f'style="grid-area:1/1;width:100%;height:{height}px;border:0"></iframe></div>'
        )

    def _repr_mimebundle_(self, include=None, exclude=None):
        return {"text/html": self._repr_html_(), "text/plain": repr(self)}

    def _likely_height(self):
        """Height in pixels before anything is drawn, so that a page moves little when it is; of a page 800 pixels wide."""
        layers, count, queries, _ = self._shape
        height = 8 if self._title is None else 40
        if self._tag != "mha-matrix":
            height += 300
        if self._tag != "mha-heads":
            height += 40 * (layers * count > 1)
        if self._tag == "mha-matrix":
            height += 230 + (54 * queries if queries <= 12 else min(54 * queries, 720))
        if self._tag == "mha-heads":
            height += 190 + (170 * -(-count // 8) if layers == 1 else 60 + layers * min(150, 720 // count))
        return height

    def widget(self):
        """The figure as an anywidget, whose trait `selection` is what the reader has chosen, and can be set.

        `selection` is {"layer", "head", "query", "key"}, from 0; query and key are None where nothing is chosen. Observe it
        by `widget.observe(function, "selection")`. An ImportError says so where the package anywidget is missing.
        """
        try:
            import anywidget
            import traitlets
        except ImportError as error:
            raise ImportError(
                "widget() needs the package anywidget, which is not installed: `pip install anywidget`. The figure itself "
                "needs no package."
            ) from error
        limits = dict(zip(("layer", "head", "query", "key"), self._shape))

        class AttentionWidget(anywidget.AnyWidget):
            _esm = f"{_SHARED}\nconst VIEWS = {json.dumps(_views())};\n{_WIDGET}"
            _css = _PARTS_STYLE
            _figure = traitlets.Dict().tag(sync=True)
            _weights = traitlets.Bytes().tag(sync=True)
            selection = traitlets.Dict().tag(sync=True)

            @traitlets.validate("selection")
            def _check_selection(self, proposal):
                value = proposal["value"]
                if set(value) != set(limits):
                    raise traitlets.TraitError(f"selection must have {', '.join(limits)}, got {value!r}")
                for name, count in limits.items():
                    if value[name] is None and name in ("query", "key"):
                        continue
                    try:
                        _index(f"selection's {name}", value[name], count, name)
                    except ValueError as error:
                        raise traitlets.TraitError(str(error)) from None
                return value

        place = {"layer": self._layer, "head": self._head, "query": None, "key": None}
        return AttentionWidget(_figure=self._facts(), _weights=self._weights, selection=place)

    def save(self, file):
        """Writes the figure as one HTML file (UTF-8) that needs no network and no server; an existing one is replaced."""
        Path(file).write_text(self._document(is_file=True), encoding="utf-8")
