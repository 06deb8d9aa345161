import { html, nothing, type ReactiveController, type TemplateResult } from 'lit';
import { modelBytesAt, MOST_BYTES, NoBytesError } from '../../api/bytes-at.js';
import { save } from '../base/save.js';
import type { MhaElement } from '../base/mha-element.js';
import { reasonOfModel } from '../base/problem.js';
import { problemStringsFor } from '../base/problem-strings.js';
import { languageOf } from '../base/language.js';
import { loadRunning } from './load-running.js';
import type { RunController } from './run.js';
import type { TrainingStrings } from './strings.js';

/** `started` is called when a run starts from a file, `refused` with a message if that fails ('' clears it). */
interface Events {
  strings(): TrainingStrings;
  started(): void;
  refused(message: string): void;
}

/** Saves the model of a run as the files of a folder, which explorers open, and starts runs from a `model.safetensors`. */
export class ModelFiles implements ReactiveController {
  #loading: AbortController | null = null;

  constructor(
    private readonly host: MhaElement,
    private readonly run: RunController,
    private readonly events: Events,
  ) {
    host.addController(this);
  }

  hostDisconnected(): void {
    this.abort();
  }

  get isLoading(): boolean {
    return this.#loading !== null;
  }

  abort(): void {
    this.#loading?.abort();
  }

  /** Starts a run from the model file at an address relative to the page. */
  async fetch(address: string | null): Promise<void> {
    if (address === null) return;
    await this.#load((signal) => modelBytesAt(new URL(address, document.baseURI), signal));
  }

  render(strings: TrainingStrings): TemplateResult {
    const { history, phase } = this.run;
    const canSave = phase !== 'failed' && phase !== 'preparing';
    return html`
      <div part="keep" class="controls" role="group" aria-label=${strings.keep}>
        ${
          history
            ? html`<button
                type="button"
                class="control"
                data-do="save"
                ?disabled=${!canSave}
                @click=${this.#save}
              >
                ${strings.saveModel}
              </button>`
            : nothing
        }
        <label class="file">
          <input
            class="visually-hidden"
            type="file"
            name="model"
            accept=".safetensors"
            @change=${this.#open}
          />
          <span class="look">${strings.openModel}</span>
        </label>
      </div>
    `;
  }

  readonly #save = async (): Promise<void> => {
    try {
      const model = await this.run.save();
      const { modelFiles } = await loadRunning();
      for (const [name, content] of Object.entries(modelFiles(model))) save(new Blob([content]), name);
      this.events.refused('');
    } catch (error) {
      console.error(error);
      this.events.refused(this.events.strings().saveFailed);
    }
  };

  readonly #open = async ({ currentTarget }: Event): Promise<void> => {
    const input = currentTarget as HTMLInputElement;
    const [file] = input.files ?? [];
    if (!file) return;
    await this.#load(async () => {
      if (file.size > MOST_BYTES) throw new NoBytesError(file.name, 'too large');
      return new Uint8Array(await file.arrayBuffer());
    });
    // Clear the field: choosing the same file again would fire no event otherwise.
    input.value = '';
  };

  /** Starts a run from a file. The current run continues until the file turns out to be a valid model. */
  async #load(bytes: (signal: AbortSignal) => Promise<Uint8Array>): Promise<void> {
    this.#loading?.abort();
    const loading = (this.#loading = new AbortController());
    this.events.refused('');
    this.host.requestUpdate();
    try {
      const running = await loadRunning().catch((error: unknown) => {
        this.events.refused(String(error));
      });
      if (!running) return;
      const model = running.readModel(await bytes(loading.signal));
      if (loading.signal.aborted) return;
      this.events.started();
      await this.run.start(model.plan, model);
    } catch (error) {
      if (loading.signal.aborted) return;
      const reason = reasonOfModel(error);
      this.events.refused(
        `${this.events.strings().badModel} ${reason(problemStringsFor(languageOf(this.host)))}`,
      );
    } finally {
      if (this.#loading === loading) this.#loading = null;
      this.host.requestUpdate();
    }
  }
}
