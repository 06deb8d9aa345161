import prettier from 'prettier';

/** Text as Prettier would have it in this place. */
export async function formatted(file, text) {
  const options = await prettier.resolveConfig(file);
  return prettier.format(text, { ...options, filepath: file });
}
