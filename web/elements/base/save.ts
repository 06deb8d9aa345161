/** Number of characters that are joined per time slice. */
const SLICE = 2 ** 20;

/**
 * Joins parts of text to a blob, in time slices of a million characters so that the page stays responsive.
 *
 * @throws (rejects) the abort reason of `signal`
 */
export async function timeSlicedBlob(
  parts: Iterable<string>,
  type: string,
  signal: AbortSignal,
): Promise<Blob> {
  const blobs: Blob[] = [];
  let slice: string[] = [];
  let length = 0;
  for (const part of parts) {
    slice.push(part);
    length += part.length;
    if (length < SLICE) continue;
    // Convert each slice to a blob at once: the browser may keep blobs outside the page's memory.
    blobs.push(new Blob(slice));
    slice = [];
    length = 0;
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
  return new Blob([...blobs, ...slice], { type });
}

/** Starts the browser's download of a file. */
export function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the blob after the click; a minute is enough for any size.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
