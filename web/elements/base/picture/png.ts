/**
 * Rasterises an SVG document as a PNG with `scale` pixels per CSS pixel.
 *
 * @throws (rejects) Error where the browser cannot draw or encode it, for a size beyond its limits for example
 */
export async function toPngBlob(svg: string, scale: number): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    try {
      await image.decode();
    } catch {
      throw new Error(
        'the picture could not be drawn: it is too large, or a content security policy does not allow img-src blob:',
      );
    }
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.naturalWidth * scale);
    canvas.height = Math.round(image.naturalHeight * scale);
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => {
      canvas.toBlob(resolve, 'image/png');
    });
    if (!blob) {
      throw new Error(`the picture of ${canvas.width} × ${canvas.height} pixels could not be encoded`);
    }
    return blob;
  } finally {
    URL.revokeObjectURL(url);
  }
}
