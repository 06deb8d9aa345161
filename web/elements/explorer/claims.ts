import { css, html, nothing, type TemplateResult } from 'lit';
import { scrollTable } from '../base/data-table.js';
import { formatWeight } from '../base/strings.js';
import type { Strings } from '../sentence-view/strings.js';
import { bestHead, type ClaimScores } from './claim-reading.js';
import { type Relation, RELATIONS, SENTENCES } from './claim-sentences.js';
import { MEAN_ROLES, type MeanRole, type RoleMeans } from './mean-roles.js';
import type { ExplorerStrings } from './strings.js';

export const claimStyles = css`
  .claims .content {
    display: grid;
    gap: 1rem;
    margin-block: 1rem;
  }
  .claims :is(.sentences, .reported) {
    margin: 0.5rem 0 0;
    font-size: 0.8125rem;
    color: var(--_muted);
  }
`;

/** What Clark et al. 2019 report of BERT base, uncased: the head, counted from 1, and its accuracy. */
const PUBLISHED: Readonly<Record<Relation, { readonly head: string; readonly accuracy: number }>> = {
  determiner: { head: '8·11', accuracy: 0.943 },
  pronoun: { head: '5·4', accuracy: 0.651 },
};

const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;

/** What papers report of single heads of their models, and the same question to the heads of this one. */
export function claimsView(
  scores: ClaimScores | null,
  name: string,
  problem: string,
  names: Strings,
  strings: ExplorerStrings,
): TemplateResult {
  return html`<div class="content">
    <p class="quiet">${strings.claimsMeaning}</p>
    <p class="problem" role="alert">${problem}</p>
    ${scores ? [computed(scores, name, names, strings), roleMeans(scores, name, names, strings)] : nothing}
    <p class="quiet" role="status">${scores || problem !== '' ? '' : strings.computing}</p>
    ${scores ? published(strings) : nothing}
    <details>
      <summary>${strings.claimSentences}</summary>
      <ul class="sentences" lang="en">
        ${SENTENCES.map(
          (sentence) =>
            html`<li>
              ${sentence.text}
              ${RELATIONS.flatMap((relation) => sentence[relation]).map(
                ([word, belongsTo]) => html`<br />${word} → ${belongsTo}`,
              )}
            </li>`,
        )}
      </ul>
    </details>
  </div>`;
}

function computed(
  scores: ClaimScores,
  name: string,
  names: Strings,
  strings: ExplorerStrings,
): TemplateResult {
  const cell = (hits: number, pairs: number) =>
    html`<td class="number"><data value=${hits / pairs}>${percent(hits / pairs)}</data></td>`;
  const row = (relation: Relation) => {
    const found = scores[relation];
    const { layer, head, score: hits } = bestHead(found.hits);
    const { words, hits: offsetHits } = found.offset;
    if (scores.causal && relation === 'determiner') {
      return html`<tr>
        <th scope="row">${strings.relation[relation]}</th>
        <td colspan="6">${strings.neverSeen}</td>
      </tr>`;
    }
    return html`<tr data-relation=${relation}>
      <th scope="row">${strings.relation[relation]}</th>
      <td data-head="${layer}.${head}">${names.head(head, layer)}</td>
      ${cell(hits, found.pairs)} ${cell(offsetHits, found.pairs)} ${cell(found.guess, found.pairs)}
      <td class="number">${found.pairs}</td>
      <td>${strings.offset(words)}</td>
    </tr>`;
  };
  return scrollTable(
    strings.claimsComputed(name),
    html`<td></td>
      <th scope="col">${strings.bestHead}</th>
      <th scope="col">${strings.accuracy}</th>
      <th scope="col">${strings.byOffset}</th>
      <th scope="col">${strings.byGuess}</th>
      <th scope="col">${strings.pairs}</th>
      <th scope="col">${strings.offsetName}</th>`,
    html`${RELATIONS.map(row)}`,
    'claims-computed',
  );
}

function roleMeans(
  { roles }: ClaimScores,
  name: string,
  names: Strings,
  strings: ExplorerStrings,
): TemplateResult {
  const cell = (score: number) =>
    html`<td class="number"><data value=${score}>${formatWeight(score)}</data></td>`;
  const row = (role: MeanRole, { heads, uniform }: RoleMeans) => {
    const { layer, head, score } = bestHead(heads);
    const all = heads.flat();
    return html`<tr data-role=${role}>
      <th scope="row">${strings.meanRole[role]}</th>
      <td data-head="${layer}.${head}">${names.head(head, layer)}</td>
      ${cell(score)} ${cell(all.reduce((sum, each) => sum + each, 0) / all.length)} ${cell(uniform)}
    </tr>`;
  };
  return html`${scrollTable(
      strings.rolesComputed(name, SENTENCES.length),
      html`<td></td>
        <th scope="col">${strings.bestHead}</th>
        <th scope="col">${strings.itsWeight}</th>
        <th scope="col">${strings.meanOfHeads}</th>
        <th scope="col">${strings.chance}</th>`,
      html`${MEAN_ROLES.map((role) => {
        const means = roles[role];
        return means ? row(role, means) : nothing;
      })}`,
      'claims-roles',
    )}
    <p class="quiet">${strings.twiceMeaning} ${roles.induction ? strings.inductionMeaning : ''}</p>`;
}

const published = (strings: ExplorerStrings): TemplateResult => html`
  ${scrollTable(
    strings.claimsPublished,
    html`<td></td>
      <th scope="col">${strings.reportedHead}</th>
      <th scope="col">${strings.accuracy}</th>`,
    html`${RELATIONS.map(
      (relation) =>
        html`<tr>
          <th scope="row">${strings.relation[relation]}</th>
          <td>${PUBLISHED[relation].head}</td>
          <td class="number">${percent(PUBLISHED[relation].accuracy)}</td>
        </tr>`,
    )}`,
    'claims-published',
  )}
  <ul class="reported">
    ${strings.reported.map((fact) => html`<li>${fact}</li>`)}
  </ul>
  <p class="quiet">${strings.claimsDiffer}</p>
`;
