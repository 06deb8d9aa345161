/** The origin of a frame's page; a page in `srcdoc` has that of this page. */
const originOf = (frame) => {
  if (frame.hasAttribute('srcdoc')) return self.origin;
  return URL.canParse(frame.src) ? new URL(frame.src).origin : null;
};
/** Gives every `<iframe data-mha>` the current height of its figure. */
addEventListener('message', ({ data, source, origin }) => {
  if (data?.type !== 'mha-height' || !Number.isFinite(data.height)) return;
  for (const frame of document.querySelectorAll('iframe[data-mha]')) {
    // Only messages of this frame, from the origin that the author has set.
    if (frame.contentWindow !== source || originOf(frame) !== origin) continue;
    // With content-box a frame of `width="100%"` would be wider than its column by its border.
    frame.style.boxSizing = 'border-box';
    const border = frame.offsetHeight - frame.clientHeight;
    frame.style.height = `${Math.max(0, data.height) + border}px`;
  }
});
// Frames that reported their height before this script ran.
for (const frame of document.querySelectorAll('iframe[data-mha]')) {
  frame.contentWindow.postMessage({ type: 'mha-height?' }, '*');
}
