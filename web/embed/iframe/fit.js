/** The origin of the page that the author has put into a frame: a page in `srcdoc` is of this one's. */
const originOf = (frame) => {
  if (frame.hasAttribute('srcdoc')) return self.origin;
  return URL.canParse(frame.src) ? new URL(frame.src).origin : null;
};
/** Gives every `<iframe data-mha>` the height of the figure in it, and follows when that changes. */
addEventListener('message', ({ data, source, origin }) => {
  if (data?.type !== 'mha-height' || !Number.isFinite(data.height)) return;
  for (const frame of document.querySelectorAll('iframe[data-mha]')) {
    // Only a frame's own page speaks for it, and only from where the author has put it.
    if (frame.contentWindow !== source || originOf(frame) !== origin) continue;
    // Else a frame of `width="100%"` would be wider than its column by its border.
    frame.style.boxSizing = 'border-box';
    const border = frame.offsetHeight - frame.clientHeight;
    frame.style.height = `${Math.max(0, data.height) + border}px`;
  }
});
// Frames that have told their height before this script came.
for (const frame of document.querySelectorAll('iframe[data-mha]')) {
  frame.contentWindow.postMessage({ type: 'mha-height?' }, '*');
}
