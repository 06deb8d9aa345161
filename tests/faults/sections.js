/** The sections of a WebAssembly binary: where each starts with its id and size, where its content starts and ends. */
export function sectionsOf(bytes) {
  const sections = [];
  for (let place = 8; place < bytes.length;) {
    const start = place++;
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[place++];
      size |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    sections.push({ start, content: place, end: place + size });
    place += size;
  }
  return sections;
}
