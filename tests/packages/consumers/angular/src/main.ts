import { Component, CUSTOM_ELEMENTS_SCHEMA, inject, signal } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { provideRouter, Router, RouterLink, RouterOutlet } from '@angular/router';
import 'multihead-attention/elements';
import type { MhaSelectDetail } from 'multihead-attention/elements';

@Component({
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `
    <mha-explorer document="001-b" (mha-select)="selected.set($any($event).detail)"></mha-explorer>
    <output id="selected">{{ text() }}</output>
  `,
})
class Home {
  readonly selected = signal<MhaSelectDetail | null>(null);
  readonly text = () => JSON.stringify(this.selected());
}

@Component({
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `<mha-explorer document="004-sentence" heads="4" head="1" summary="false"></mha-explorer>`,
})
class Second {}

@Component({
  schemas: [CUSTOM_ELEMENTS_SCHEMA],
  template: `<mha-explorer document="001-f" [head]="3"></mha-explorer>`,
})
class Third {}

@Component({
  selector: 'app-root',
  imports: [RouterLink, RouterOutlet],
  template: `<a id="next" [routerLink]="next()">Next</a><router-outlet />`,
})
class App {
  readonly #router = inject(Router);
  readonly next = () => ({ '/': '/second', '/second': '/third' })[this.#router.url] ?? '/';
}

bootstrapApplication(App, {
  providers: [
    provideRouter([
      { path: '', component: Home },
      { path: 'second', component: Second },
      { path: 'third', component: Third },
    ]),
  ],
}).catch((error: unknown) => console.error(error));
