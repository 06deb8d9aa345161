import { item } from '../../api/shape.js';
import type { Tensor } from '../../api/tensor.js';
import type { WorkerModel } from '../../models/in-worker.js';
import { checkLength } from '../../sources/model.js';
import type { Similarities } from './texts.js';

/** Texts for the built-in picture, in the language that published models know. */
const TEXTS = 'a cat on a mat|a dog in the grass|an empty room';

/** The texts of the attribute `texts`, which `|` separates. */
const textsOf = (texts: string | null): string[] =>
  (texts ?? TEXTS)
    .split('|')
    .map((text) => text.trim())
    .filter(Boolean);

/**
 * Compares texts with a picture, and gives the attentions that its patches have.
 *
 * @param list as in the attribute `texts`
 * @param wanted which layers' attentions are given
 * @throws (rejects) where a text cannot be read
 */
export async function compareTexts(
  model: WorkerModel,
  list: string | null,
  pixelValues: Tensor,
  wanted: true | [number],
): Promise<{ readonly similarities: Similarities; readonly attentions: readonly Tensor[] }> {
  const texts = textsOf(list);
  for (const text of texts) checkLength(model, (await model.tokenize(text)).shown.length);
  const input = { texts, pixelValues };
  const output = await model.forward(input, { attentions: wanted });
  const { textEmbeds, imageEmbeds, logitsPerImage, visionAttentions: attentions } = output;
  if (!textEmbeds || !imageEmbeds || !logitsPerImage || !attentions)
    throw new Error('the model compares no texts');
  const logits = Array.from(logitsPerImage.data);
  const exponentials = logits.map((logit) => Math.exp(logit - Math.max(...logits)));
  const sum = exponentials.reduce((a, b) => a + b, 0);
  const size = imageEmbeds.data.length;
  const cosines = texts.map((_, text) =>
    imageEmbeds.data.reduce((all, value, i) => all + value * item(textEmbeds.data, text * size + i), 0),
  );
  const shares = exponentials.map((exponential) => exponential / sum);
  return { similarities: { texts, cosines, shares }, attentions };
}
