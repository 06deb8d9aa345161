/**
 * Tells the style sheet how tall prose and figure beside each other are (`--height`): what is taller than the
 * screen sticks with its end in view instead of its beginning.
 */
export function keepInView(): void {
  const observer = new ResizeObserver((entries) => {
    for (const { target, borderBoxSize } of entries) {
      const [size] = borderBoxSize;
      if (size) (target as HTMLElement).style.setProperty('--height', `${Math.ceil(size.blockSize)}px`);
    }
  });
  for (const side of document.querySelectorAll('.beside > *')) observer.observe(side);
}
