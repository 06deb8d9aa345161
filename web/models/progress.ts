/** How far a download is. */
export interface LoadProgress {
  /** Its name in the folder. */
  readonly file: string;
  /** Bytes of this file that have come. */
  readonly loaded: number;
  /** Bytes of it that will come; null where that is not known yet. */
  readonly total: number | null;
  /** Of all files since the beginning; null before any time has passed. */
  readonly bytesPerSecond: number | null;
  /** Until all files have come, at this rate; null where a file's length is not known yet. */
  readonly secondsLeft: number | null;
}

interface Part {
  loaded: number;
  total: number | null;
}

/** Counts the bytes of all files of a model. */
export class ProgressMeter {
  readonly #parts = new Map<string, Part>();
  readonly #start = performance.now();

  constructor(
    /** Those that hold the weights. */
    public files: readonly string[],
    private readonly onProgress: ((progress: LoadProgress) => void) | undefined,
  ) {}

  setTotal(file: string, total: number | null): void {
    const part = this.#part(file);
    if (part.total === total) return;
    part.total = total;
    this.#tell(file, part);
  }

  add(file: string, bytes: number): void {
    const part = this.#part(file);
    part.loaded += bytes;
    this.#tell(file, part);
  }

  #tell(file: string, { loaded, total }: Part): void {
    const seconds = (performance.now() - this.#start) / 1000;
    const parts = this.files.map((each) => this.#part(each));
    const came = parts.reduce((sum, each) => sum + each.loaded, 0);
    const all = parts.reduce((sum, each) => sum + (each.total ?? NaN), 0);
    const bytesPerSecond = seconds > 0 ? came / seconds : null;
    const left = bytesPerSecond ? Math.max(0, all - came) / bytesPerSecond : NaN;
    const secondsLeft = Number.isNaN(left) ? null : left;
    this.onProgress?.({ file, loaded, total, bytesPerSecond, secondsLeft });
  }

  #part(file: string): Part {
    let part = this.#parts.get(file);
    if (!part) this.#parts.set(file, (part = { loaded: 0, total: null }));
    return part;
  }
}
