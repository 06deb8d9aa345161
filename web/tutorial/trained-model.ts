/** The package's trained model, for whoever would rather not wait: the figure has a button that loads it. */
export function offerModel(): void {
  const { href } = new URL('../../models/sentences.safetensors', import.meta.url);
  document.getElementById('training')?.setAttribute('model', href);
}
