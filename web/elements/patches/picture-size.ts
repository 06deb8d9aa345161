/** Width and height of a picture by its first bytes: decoded, it may be 60,000 times as large as its file. */

const ASCII = new TextDecoder('latin1');

/** Of the first frame header of a JPEG file: segments that begin with a marker and their length. */
function sizeOfJpeg(view: DataView): [number, number] | null {
  for (let at = 2; at + 9 <= view.byteLength;) {
    const marker = view.getUint8(at) === 0xff ? view.getUint8(at + 1) : 0;
    // Bytes between segments are passed over, and fill bytes.
    if (marker === 0 || marker === 0xff) at++;
    // Start of frame; C4, C8 and CC are something else.
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return [view.getUint16(at + 7), view.getUint16(at + 5)];
    } else at += 2 + ((marker >= 0xd0 && marker <= 0xd8) || marker === 1 ? 0 : view.getUint16(at + 2));
  }
  return null;
}

/** Of a GIF file: browsers enlarge it where its first frame, behind extensions in blocks, is larger. */
function sizeOfGif(view: DataView): [number, number] {
  const flags = view.getUint8(10);
  let at = 13 + (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0);
  while (view.getUint8(at) === 0x21) {
    for (at += 2; view.getUint8(at) !== 0;) at += view.getUint8(at) + 1;
    at++;
  }
  const two = (place: number) => view.getUint16(place, true);
  return [Math.max(two(6), two(at + 1) + two(at + 5)), Math.max(two(8), two(at + 3) + two(at + 7))];
}

function sizeOfWebp(view: DataView, kind: string): [number, number] | null {
  const bits = (at: number) => view.getUint32(at, true);
  if (kind === 'VP8X') return [(bits(24) & 0xffffff) + 1, (bits(26) >>> 8) + 1];
  if (kind === 'VP8L') return [(bits(21) & 0x3fff) + 1, ((bits(21) >>> 14) & 0x3fff) + 1];
  return kind === 'VP8 ' ? [bits(26) & 0x3fff, (bits(26) >>> 16) & 0x3fff] : null;
}

/** Of AVIF and HEIC: the largest that a box `ispe` (image spatial extents) names. */
function sizeOfBoxes(view: DataView, text: string): [number, number] | null {
  const found = Array.from(text.matchAll(/ispe/g), ({ index }): [number, number] => [
    view.getUint32(index + 8),
    view.getUint32(index + 12),
  ]);
  return found.toSorted((a, b) => b[0] * b[1] - a[0] * a[1])[0] ?? null;
}

/** @returns pixels across and down; null for no picture of a known format: PNG, JPEG, GIF, WebP, BMP, AVIF, HEIC */
export function pictureSize(bytes: Uint8Array): [width: number, height: number] | null {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = ASCII.decode(bytes);
  try {
    if (text.startsWith('PNG', 1) && text.startsWith('IHDR', 12))
      return [view.getUint32(16), view.getUint32(20)];
    if (view.getUint16(0) === 0xffd8) return sizeOfJpeg(view);
    if (text.startsWith('GIF8')) return sizeOfGif(view);
    if (text.startsWith('RIFF') && text.startsWith('WEBP', 8)) return sizeOfWebp(view, text.slice(12, 16));
    if (text.startsWith('BM')) return [Math.abs(view.getInt32(18, true)), Math.abs(view.getInt32(22, true))];
    return text.startsWith('ftyp', 4) ? sizeOfBoxes(view, text) : null;
  } catch {
    // It ends before.
    return null;
  }
}
