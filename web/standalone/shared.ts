/**
 * What `standalone-figures.js` takes from `standalone.js`, so that a page has one Lit, whose policy of Trusted Types can be made
 * once, and each model once.
 */
export * as lit from './shared-lit.js';
export * as addresses from '../sources/addresses.js';
export * as ablated from '../sources/ablated.js';
export * as bytesAt from '../api/bytes-at.js';
export * as pictures from '../elements/patches/pictures.js';
export * as barList from '../elements/base/bar-list.js';
export * as csv from '../elements/base/csv.js';
export * as headGrid from '../elements/model/head-grid.js';
export * as save from '../elements/base/save.js';
export * as controls from '../elements/base/controls.js';
export * as dataTable from '../elements/base/data-table.js';
export * as figure from '../sources/figure.js';
export * as explorerStrings from '../elements/explorer/strings.js';
export * as language from '../elements/base/language.js';
export * as mhaElement from '../elements/base/mha-element.js';
export * as model from '../sources/model.js';
export * as modelStatus from '../elements/model/model-status.js';
export * as problem from '../elements/base/problem.js';
export * as problemStrings from '../elements/base/problem-strings.js';
export * as strings from '../elements/base/strings.js';
export * as styled from '../elements/base/styled.js';
export * as subscripts from '../elements/base/subscripts.js';
export * as tensor from '../api/tensor.js';
export * as viewStrings from '../elements/sentence-view/strings.js';
