"""Unit tests of mha_view.py, whose folder is in PYTHONPATH: what is refused and how, and what is in a figure's HTML."""

import random
import re
import sys
import tempfile
import types
import unittest
import unittest.mock
import zlib
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import mha_view
import numpy
import traitlets

TOKENS = ["the", "cat", "sat"]
ROWS = [[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.5, 0.125, 0.375]]
EVEN = [[0.5, 0.5], [0.5, 0.5]]


def decoded(figure):
    planes = zlib.decompress(figure._weights)
    half = len(planes) // 2
    codes = [256 * high + low for high, low in zip(planes[:half], planes[half:])]
    return [0 if code == 0 else 1 if code == 60001 else (code - 0.5) / 60000 for code in codes]


class Tensor:
    """What torch.Tensor does: no lists or arrays of a tensor that has gradients, of bfloat16, or on another device."""

    def __init__(self, values, ready=()):
        self.values, self.ready = values, ready

    def detach(self):
        return Tensor(self.values, (*self.ready, "detached"))

    def float(self):
        return Tensor(self.values, (*self.ready, "float32"))

    def cpu(self):
        return Tensor(self.values, (*self.ready, "here"))

    def tolist(self):
        if set(self.ready) != {"detached", "float32", "here"}:
            raise RuntimeError("Can't call tolist() on this tensor")
        return self.values

    def __len__(self):
        return len(self.values)


class Refusals(unittest.TestCase):
    def refuses(self, pattern, call, *args, error=ValueError, **options):
        with self.assertRaisesRegex(error, pattern):
            call(*args, **options)

    def test_fast_attention(self):
        for attentions in (None, (None, None), ([[ROWS]], None), ()):
            self.refuses(
                r'attentions must be attention weights, got .*attn_implementation="eager".*output_attentions=True',
                *(mha_view.heads, TOKENS, attentions),
            )
        self.refuses("cross_attentions must be attention weights", mha_view.pair, TOKENS, TOKENS, None)

    def test_the_whole_output_of_a_model(self):
        outputs = type("BaseModelOutput", (), {"attentions": (ROWS,)})()
        self.refuses("got BaseModelOutput: give outputs.attentions", mha_view.heads, TOKENS, outputs)

    def test_tokens(self):
        self.refuses(r"tokens must have 3 strings, .*\(1, 1, 3, 3\), got 2\. Special", mha_view.arcs, TOKENS[:2], ROWS)
        self.refuses("tokens must be a list of strings, got str", mha_view.arcs, "the cat sat", ROWS, error=TypeError)
        self.refuses("tokens must be strings, got int at 1", mha_view.arcs, ["a", 5, "b"], ROWS, error=TypeError)
        self.refuses("key_tokens must have 3 strings, one for each column", mha_view.pair, ["a", "b", "c"], ["a"], ROWS)
        self.refuses("query_tokens must have 3 strings, one for each row", mha_view.pair, ["a"], TOKENS, ROWS)
        with self.assertRaisesRegex(ValueError, 'view must be "matrix", "arcs" or "heads", got \'layers\''):
            mha_view.pair(TOKENS, TOKENS, ROWS, view="layers")

    def test_two_texts(self):
        wide = [[0.5, 0.25, 0.25], [1, 0, 0]]
        for call in (mha_view.heads, mha_view.arcs, mha_view.matrix):
            self.refuses(r"attentions must have as many keys as queries .*pair\(", call, ["a", "b"], wide)

    def test_shapes(self):
        self.refuses(r"attentions must be nested lists.*got the shape \(3,\)", mha_view.arcs, TOKENS, [0.5, 0.25, 0.25])
        self.refuses(r"got the shape \(1, 1, 1, 1, 1, 1\)\. generate\(\)", mha_view.arcs, ["a"], [[[[[[1.0]]]]]])
        self.refuses(r"got object", mha_view.arcs, TOKENS, object())
        self.refuses(r"3 rows of 3 numbers.*got 3 of 2, 3 in layer 0, head 0", mha_view.arcs, TOKENS, [*ROWS[:2], [0.5, 0.5]])
        self.refuses(r"2 heads in every layer.*got 1 in layer 1", mha_view.arcs, TOKENS, [[ROWS, ROWS], [ROWS]])

    def test_weights(self):
        row = [0.5, 0.5, 0]
        self.refuses(
            r"whose rows sum to 1, got 0\.8 in layer 1, head 0, row 2.*model\.eval\(\)",
            *(mha_view.matrix, TOKENS, [[ROWS], [[*ROWS[:2], [0.4, 0.4, 0]]]]),
        )
        self.refuses(r"not negative, got -0\.5 in layer 0, head 0, row 1", mha_view.matrix, TOKENS, [row, [-0.5, 1, 0.5], row])
        self.refuses(r"finite, got nan in .*row 0", mha_view.matrix, TOKENS, [[float("nan"), 0, 1], row, row])
        self.refuses(r"finite, got inf", mha_view.matrix, TOKENS, [[float("inf"), 0, 1], row, row])
        self.refuses(r"numbers, got str in .*row 2", mha_view.matrix, TOKENS, [row, row, ["1", "0", "0"]], error=TypeError)

    def test_options(self):
        self.refuses(r"layer must be an integer from 0 to 0 \(1 layer\), got 1", mha_view.arcs, TOKENS, ROWS, layer=1)
        self.refuses(r"head must be an integer from 0 to 1 \(2 heads\), got -1", mha_view.arcs, TOKENS, [ROWS, ROWS], head=-1)
        self.refuses(r"batch must name one of the 2 texts", mha_view.arcs, TOKENS, ([[ROWS], [ROWS]],))
        self.refuses(r"batch must be an integer from 0 to 1", mha_view.arcs, TOKENS, ([[ROWS], [ROWS]],), batch=2)
        self.refuses(r"batch must be None for attentions of shape \(3, 3\)", mha_view.arcs, TOKENS, ROWS, batch=0)
        self.refuses(r'lang must be "en" or "ko", got \'fr\'', mha_view.arcs, TOKENS, ROWS, lang="fr")
        self.refuses(r"height must be a positive number", mha_view.arcs, TOKENS, ROWS, height=0)
        self.refuses(r"title must be a string or None, got int", mha_view.arcs, TOKENS, ROWS, title=1, error=TypeError)

    def test_too_many(self):
        head = [[1.0] + [0.0] * 511] * 512
        self.refuses(r"at most 8,388,608 weights, got 8,650,752", mha_view.heads, ["a"] * 512, [[head] * 33])

    def test_missing_views(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.multiple(
            mha_view, _BUNDLE="", __file__=str(Path(folder) / "a" / "b" / "c" / "mha_view.py")
        ):
            figure = mha_view.arcs(TOKENS, ROWS)
            self.refuses(r"standalone-views\.js, got neither", figure._repr_html_, error=FileNotFoundError)


class Forms(unittest.TestCase):
    def test_every_form_gives_the_same(self):
        layer = [ROWS, [[1, 0, 0]] * 3]
        expected = mha_view.heads(TOKENS, [layer, layer])._weights
        array = numpy.array([layer, layer])
        forms = {
            "a tuple of (B,H,L,L) lists": ([layer], [layer]),
            "a tuple of arrays": tuple(array[:, None]),
            "an array (layers,H,L,L)": array,
            "an array (layers,B,H,L,L)": array[:, None],
            "a tuple of tensors": (Tensor([layer]), Tensor([layer])),
            "half precision, exact for these": array.astype(numpy.float16),
        }
        for name, form in forms.items():
            with self.subTest(name):
                self.assertEqual(mha_view.heads(TOKENS, form)._weights, expected)

    def test_single_layers_heads_and_texts(self):
        other = [[0, 0, 1]] * 3
        expected = mha_view.arcs(TOKENS, ROWS)._weights
        self.assertEqual(mha_view.arcs(TOKENS, [ROWS])._weights, expected)
        self.assertEqual(mha_view.arcs(TOKENS, ([[other], [ROWS]],), batch=1)._weights, expected)
        self.assertEqual(mha_view.arcs(TOKENS, [[other], [ROWS]], batch=1)._weights, expected)
        self.assertEqual(mha_view.arcs(TOKENS, [[other], [ROWS]])._shape, (2, 1, 3, 3))

    def test_pairs(self):
        """Of two texts the largest weight may be at equal indices."""
        figure = mha_view.pair(["die", "Katze"], TOKENS, ([[[[1, 0, 0], [0.25, 0.75, 0]]]],))
        self.assertEqual(figure._shape, (1, 1, 2, 3))
        self.assertEqual(figure._pairs, [(1, "die", "the"), (0.75, "Katze", "cat"), (0.25, "Katze", "the")])

    def test_masked_rows_and_rounded_ones(self):
        mha_view.arcs(TOKENS, [[0, 0, 0], [0.33, 0.33, 0.33], [1, 0, 0]])


class Digits(unittest.TestCase):
    def test_every_shown_digit_is_right(self):
        random.seed(5)
        exact = [0, 1, 0.5, 0.005, 0.015, 0.995, 0.0005, 0.12345, 0.00005]
        values = exact + [random.random() ** 3 for _ in range(5000)] + [round(random.random(), 5) for _ in range(5000)]
        figure = mha_view.matrix(["a", "b"], [[[value, 1 - value], [1, 0]] for value in values])
        shown = decoded(figure)[::4]
        for value, read in zip(values, shown):
            self.assertLessEqual(abs(value - read), 1 / 120000 + 1e-12)
            for digits in ("1.0", "1.00", "1.000", "1.0000"):
                right = Decimal(repr(float(value))).quantize(Decimal(digits), ROUND_HALF_UP)
                self.assertEqual(Decimal(read).quantize(Decimal(digits), ROUND_HALF_UP), right, value)
        self.assertEqual(shown[:2], [0, 1])

    def test_size_of_a_large_model(self):
        """12 layers of 12 heads over 64 tokens, from almost even weights to almost single ones."""
        tokens = [f"token{i}" for i in range(64)]
        normal = numpy.random.default_rng(3).normal(size=(12, 12, 64, 64))
        for spread in (0.1, 1, 3, 8):
            weights = numpy.exp(spread * normal)
            weights /= weights.sum(-1, keepdims=True)
            with self.subTest(spread=spread):
                self.assertLess(len(mha_view.heads(tokens, weights)._repr_html_().encode()), 1.5e6)


class Output(unittest.TestCase):
    def test_text_and_html(self):
        figure = mha_view.matrix(["<b>", "안녕"], [[0.25, 0.75], [0.5, 0.5]], title="<script>")
        bundle = figure._repr_mimebundle_()
        self.assertEqual(set(bundle), {"text/html", "text/plain"})
        self.assertIn("<b> → 안녕  0.7500", bundle["text/plain"])
        outside = re.sub(r'srcdoc="[^"]*"', "", bundle["text/html"])
        self.assertIn("&lt;b&gt;", outside)
        self.assertNotIn("<b>", outside)
        self.assertNotIn("<script", bundle["text/html"])

    def test_strongest_pairs(self):
        figure = mha_view.arcs(TOKENS, ROWS)
        self.assertEqual([pair for pair in figure._pairs], [(0.5, "sat", "the"), (0.25, "cat", "the"), (0.125, "sat", "cat")])

    def test_a_file_is_replaced(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "그림.html"
            file.write_text("old", encoding="utf-8")
            mha_view.arcs(["가", "나"], EVEN, lang="ko").save(file)
            text = file.read_text(encoding="utf-8")
            self.assertIn('lang="ko"', text)
            self.assertNotIn("http://", text.replace("http://www.w3.org", ""))


class Tokenizer:
    """Of transformers: a token for each letter."""

    @staticmethod
    def from_pretrained(name):
        return Tokenizer()

    def __call__(self, text=None, *, text_target=None, return_tensors):
        return {"input_ids": numpy.array([[ord(letter) for letter in text or text_target]])}

    def convert_ids_to_tokens(self, ids):
        return [chr(number) for number in ids]


class Model:
    """Of transformers: two layers of two heads with even weights, which fast attention does not give."""

    @staticmethod
    def from_pretrained(name, attn_implementation="sdpa"):
        model = Model()
        model.is_eager = attn_implementation == "eager"
        return model

    def eval(self):
        return self

    def prepare_decoder_input_ids_from_labels(self, labels):
        return numpy.roll(labels, 1)

    def __call__(self, *, input_ids, decoder_input_ids=None, output_attentions):
        queries, keys = (input_ids if decoder_input_ids is None else decoder_input_ids).shape[1], input_ids.shape[1]

        def even(rows, columns):
            return (numpy.full((1, 2, rows, columns), 1 / columns) if self.is_eager else None,) * 2

        return types.SimpleNamespace(attentions=even(keys, keys), cross_attentions=even(queries, keys))


class Documentation(unittest.TestCase):
    def test_code_runs_and_is_the_same_in_both_languages(self):
        docs = Path(__file__).resolve().parents[2] / "docs"
        english, korean = (
            re.findall(r"```python\n(.*?)```", (docs / name).read_text(encoding="utf-8"), re.DOTALL)
            for name in ("notebook.md", "notebook.ko.md")
        )
        self.assertEqual(*([re.sub(r" *# .*", "", code) for code in codes] for codes in (english, korean)))
        self.assertEqual(len(english), 5)
        modules = {
            "transformers": types.SimpleNamespace(AutoTokenizer=Tokenizer, AutoModel=Model, AutoModelForSeq2SeqLM=Model),
            "anywidget": types.SimpleNamespace(AnyWidget=traitlets.HasTraits),
        }
        values = {}
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.dict(sys.modules, modules):
            for code in english:
                saved = re.sub(r'\.save\("', f'.save("{folder}/', code)
                exec(saved, values)
            self.assertTrue((Path(folder) / "figure.html").is_file())
        self.assertEqual(values["figure"].selection, {"layer": 0, "head": 1, "query": 3, "key": 1})


class Widget(unittest.TestCase):
    def test_without_anywidget(self):
        with unittest.mock.patch.dict(sys.modules, {"anywidget": None}):
            with self.assertRaisesRegex(ImportError, "needs the package anywidget.*pip install anywidget"):
                mha_view.arcs(TOKENS, ROWS).widget()

    def test_selection(self):
        anywidget = types.SimpleNamespace(AnyWidget=traitlets.HasTraits)
        with unittest.mock.patch.dict(sys.modules, {"anywidget": anywidget}):
            widget = mha_view.arcs(TOKENS, [ROWS, ROWS], head=1).widget()
        start = {"layer": 0, "head": 1, "query": None, "key": None}
        self.assertEqual(widget.selection, start)
        seen = []
        widget.observe(lambda change: seen.append(change["new"]), "selection")
        chosen = {**start, "query": 2, "key": 0}
        widget.selection = chosen
        self.assertEqual(seen, [chosen])
        for wrong, pattern in (
            ({"head": 0}, "selection must have layer, head, query, key"),
            ({**start, "head": 2}, "selection's head must be an integer from 0 to 1"),
            ({**start, "layer": None}, "selection's layer must be an integer"),
            ({**start, "key": 3}, "selection's key must be an integer from 0 to 2"),
        ):
            with self.assertRaisesRegex(traitlets.TraitError, pattern):
                widget.selection = wrong


if __name__ == "__main__":
    unittest.main()
