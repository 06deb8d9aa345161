/** What a generator returns in the end, without its pauses. */
export function resultOf(generator) {
  let next = generator.next();
  while (!next.done) next = generator.next();
  return next.value;
}
